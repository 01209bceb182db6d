import org.jetbrains.kotlin.gradle.dsl.JvmTarget
import org.jetbrains.kotlin.gradle.dsl.KotlinVersion
import org.jetbrains.kotlin.gradle.tasks.KotlinCompile

// The versions that opentelemetry-android builds with. Since version 9 the Android plugin compiles Kotlin itself.
plugins {
    kotlin("jvm") version "2.4.10" apply false
    id("com.android.library") version "9.3.1" apply false
}

subprojects {
    // What an app's older compiler and Android's D8 without desugaring can read, whatever JDK runs Gradle.
    tasks.withType<KotlinCompile>().configureEach {
        compilerOptions {
            jvmTarget.set(JvmTarget.JVM_1_8)
            apiVersion.set(KotlinVersion.KOTLIN_2_0)
            languageVersion.set(KotlinVersion.KOTLIN_2_0)
        }
    }
    tasks.withType<JavaCompile>().configureEach {
        sourceCompatibility = "1.8"
        targetCompatibility = "1.8"
    }
    tasks.withType<Test>().configureEach {
        systemProperty("astrolabe.repository", rootProject.projectDir.parent)
    }
    // Libraries are published as astrolabe-core, astrolabe-otel and astrolabe-android, to the folder of -Prepository.
    plugins.withId("maven-publish") {
        extensions.configure<PublishingExtension> {
            publications.register<MavenPublication>("library") {
                artifactId = "astrolabe-${project.name}"
                afterEvaluate { from(components[if (project.name == "android") "release" else "java"]) }
                pom {
                    name.set("Astrolabe ${project.name}")
                    url.set("https://github.com/astrolabe-telemetry/astrolabe")
                    licenses {
                        license {
                            name.set("Apache-2.0")
                            url.set("https://www.apache.org/licenses/LICENSE-2.0.txt")
                        }
                    }
                }
            }
            providers.gradleProperty("repository").orNull?.let { folder -> repositories.maven { url = uri(folder) } }
        }
    }
}
