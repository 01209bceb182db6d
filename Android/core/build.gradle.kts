plugins {
    kotlin("jvm")
    `maven-publish`
}

kotlin {
    explicitApi()
}

java {
    withSourcesJar()
}

dependencies {
    // Compiled against the API that OkHttp 3, 4 and 5 share at run time. The app brings its own version.
    compileOnly("com.squareup.okhttp3:okhttp:3.14.9")

    testImplementation(project(":demo"))
    testImplementation(project(":support"))
    testImplementation("com.squareup.okhttp3:okhttp:3.14.9")
    testImplementation("junit:junit:4.13.2")
}
