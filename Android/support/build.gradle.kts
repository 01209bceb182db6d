plugins {
    kotlin("jvm")
}

kotlin {
    jvmToolchain(17)
}

dependencies {
    api(project(":core"))
    implementation("org.xerial:sqlite-jdbc:3.40.1.0")
}
