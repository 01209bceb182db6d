plugins {
    kotlin("jvm")
    application
}

application {
    mainClass.set("astrolabe.demo.MainKt")
}

dependencies {
    implementation(project(":otel"))
    implementation(project(":support"))
    implementation("com.squareup.okhttp3:okhttp:3.14.9")
}
