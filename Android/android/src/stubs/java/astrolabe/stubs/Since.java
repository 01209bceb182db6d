package astrolabe.stubs;

import java.lang.annotation.ElementType;
import java.lang.annotation.Target;

/** The API level of the platform that has a class or a member. Without it: level 24 or less. */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD})
public @interface Since {
    int value();
}
