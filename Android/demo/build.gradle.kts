plugins {
    kotlin("jvm")
    application
}

kotlin {
    jvmToolchain(17)
}

application {
    mainClass.set("astrolabe.demo.MainKt")
}

dependencies {
    implementation(project(":support"))
    implementation("com.squareup.okhttp3:okhttp:3.14.9")
}
