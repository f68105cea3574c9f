enum E { };
