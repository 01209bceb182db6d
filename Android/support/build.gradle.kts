plugins {
    kotlin("jvm")
}

dependencies {
    api(project(":core"))
    implementation("org.xerial:sqlite-jdbc:3.40.1.0")
}
