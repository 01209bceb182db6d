plugins {
    kotlin("jvm")
    `maven-publish`
}

kotlin {
    explicitApi()
    // Here the SDK is always on the class path.
    sourceSets["test"].kotlin.srcDir("src/sdkTest/kotlin")
}

java {
    withSourcesJar()
}

dependencies {
    api(project(":core"))
    api("io.opentelemetry:opentelemetry-sdk:1.64.0")
    compileOnly("com.squareup.okhttp3:okhttp:3.14.9")

    testImplementation(project(":support"))
    testImplementation("com.squareup.okhttp3:okhttp:3.14.9")
    testImplementation("junit:junit:4.13.2")
}
