/* The functions for complex numbers that numpy imports, which are empty in Wine 8. On Windows a
   `long double` is a `double`, so the functions for it are those for `double`. */
#include <complex.h>
#include <math.h>

typedef struct { float real, imaginary; } single;
typedef struct { double real, imaginary; } number;

static float complex from_single(single z) {
    float complex value;
    __real__ value = z.real;
    __imag__ value = z.imaginary;
    return value;
}

static single to_single(float complex value) {
    return (single){__real__ value, __imag__ value};
}

static double complex from_number(number z) {
    double complex value;
    __real__ value = z.real;
    __imag__ value = z.imaginary;
    return value;
}

static number to_number(double complex value) {
    return (number){__real__ value, __imag__ value};
}

#define OF_ONE(name) \
    single own_##name##f(single z) { return to_single(name##f(from_single(z))); } \
    number own_##name(number z) { return to_number(name(from_number(z))); } \
    number own_##name##l(number z) { return own_##name(z); }

#define OF_TWO(name) \
    single own_##name##f(single a, single b) { \
        return to_single(name##f(from_single(a), from_single(b))); \
    } \
    number own_##name(number a, number b) { \
        return to_number(name(from_number(a), from_number(b))); \
    } \
    number own_##name##l(number a, number b) { return own_##name(a, b); }

#define REAL(name) \
    float own_##name##f(single z) { return name##f(from_single(z)); } \
    double own_##name(number z) { return name(from_number(z)); } \
    double own_##name##l(number z) { return own_##name(z); }

OF_ONE(cexp) OF_ONE(clog) OF_ONE(csqrt)
OF_ONE(csin) OF_ONE(ccos) OF_ONE(ctan)
OF_ONE(csinh) OF_ONE(ccosh) OF_ONE(ctanh)
OF_TWO(cpow)
REAL(creal) REAL(cimag) REAL(cabs) REAL(carg)
