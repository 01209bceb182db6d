// A hand-written stub of the platform class, with the behaviour of FakeDevice. It is no part of the library.
package android.app;

public class Activity extends android.content.Context {}
