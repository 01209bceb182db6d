plugins {
    id("com.android.library")
    kotlin("android")
}

android {
    namespace = "astrolabe.android"
    compileSdk = 35

    defaultConfig {
        minSdk = 24
    }
}

kotlin {
    explicitApi()
    jvmToolchain(17)
}

dependencies {
    api(project(":core"))
}
