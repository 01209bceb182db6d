package io.opentelemetry.api.trace;

import java.math.BigInteger;

/** Is not in opentelemetry-java. */
final class Hexadecimal {
    private Hexadecimal() {}

    static byte[] bytes(String digits) {
        byte[] number = new BigInteger(digits, 16).toByteArray();
        byte[] bytes = new byte[digits.length() / 2];
        int count = Math.min(number.length, bytes.length);
        System.arraycopy(number, number.length - count, bytes, bytes.length - count, count);
        return bytes;
    }
}
