import { type SignCase, says } from '../case.ts';

/** Memory of runtimes, panics, exceptions. */
export const runtimeCases: readonly SignCase[] = [
  says('Java', 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space', 'RuntimeOutOfMemory', {
    name: 'OutOfMemoryError',
  }),
  says('JVM, exiting', 'Terminating due to java.lang.OutOfMemoryError: Metaspace', 'RuntimeOutOfMemory', {
    name: 'OutOfMemoryError',
  }),
  says(
    'Node',
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'RuntimeOutOfMemory',
  ),
  says(
    'Go',
    'fatal error: runtime: out of memory\n\nruntime stack:\nruntime.throw({0x55, 0x16})\n\t/usr/local/go/src/runtime/panic.go:1077 +0x5c',
    'RuntimeOutOfMemory',
  ),
  says(
    '.NET',
    "Unhandled exception. System.OutOfMemoryException: Exception of type 'System.OutOfMemoryException' was thrown.",
    'RuntimeOutOfMemory',
    { name: 'OutOfMemoryException' },
  ),
  says(
    'Python',
    'Traceback (most recent call last):\n  File "/app/a.py", line 2, in <module>\n    x = bytearray(1 << 40)\nMemoryError',
    'RuntimeOutOfMemory',
  ),
  says(
    'PHP',
    'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /var/www/a.php on line 3',
    'RuntimeOutOfMemory',
  ),
  says('Ruby', '[FATAL] failed to allocate memory (NoMemoryError)', 'RuntimeOutOfMemory'),
  says('C++', "terminate called after throwing an instance of 'std::bad_alloc'", 'RuntimeOutOfMemory'),
  says('Rust', 'memory allocation of 8589934592 bytes failed', 'RuntimeOutOfMemory'),
  says(
    'Go',
    'panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48c0a5]\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:9 +0x5',
    'Panic',
    { name: 'runtime error: invalid memory address or nil pointer dereference' },
  ),
  says('Go', 'fatal error: all goroutines are asleep - deadlock!', 'Panic', {
    name: 'all goroutines are asleep - deadlock!',
  }),
  says(
    'Rust',
    "thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 99', src/main.rs:4:5",
    'Panic',
    { name: "'index out of bounds: the len is 3 but the index is 99', src/main.rs:4:5" },
  ),
  says('bash', '/entrypoint.sh: line 9:    12 Segmentation fault      (core dumped) ./worker', 'Panic', {
    name: 'Segmentation fault',
  }),
  says('JVM', '#  SIGSEGV (0xb) at pc=0x00007f3c, pid=1, tid=7', 'Panic', { name: 'SIGSEGV' }),
  says('C++', "terminate called after throwing an instance of 'std::runtime_error'", 'Panic', {
    name: 'std::runtime_error',
  }),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [27] PANIC:  stuck spinlock detected at LockBufHdr, bufmgr.c:4120',
    'Panic',
    {
      name: 'stuck spinlock detected at LockBufHdr, bufmgr.c:4120',
    },
  ),
  says(
    'PostgreSQL',
    '2026-03-01 10:00:00.000 UTC [27] PANIC:  could not locate a valid checkpoint record',
    'DataUnusable',
  ),
  says(
    'Java',
    'Exception in thread "main" java.lang.NullPointerException: Cannot invoke "String.length()" because "s" is null',
    'UncaughtException',
    { name: 'java.lang.NullPointerException' },
  ),
  says(
    '.NET',
    'Unhandled exception. System.InvalidOperationException: Sequence contains no elements',
    'UncaughtException',
    { name: 'System.InvalidOperationException' },
  ),
  says(
    'Node',
    "/app/server.js:12\n  return user.name;\n              ^\n\nTypeError: Cannot read properties of undefined (reading 'name')\n    at Object.<anonymous> (/app/server.js:12:15)",
    'UncaughtException',
    { name: 'TypeError' },
  ),
  says(
    'Python',
    'Traceback (most recent call last):\n  File "/app/main.py", line 7, in <module>\n    main()\nValueError: invalid literal for int() with base 10: \'x\'',
    'UncaughtException',
    { name: 'ValueError' },
  ),
  says(
    'PHP',
    'PHP Fatal error:  Uncaught TypeError: Unsupported operand types: string + int in /var/www/a.php:3',
    'UncaughtException',
    { name: 'TypeError' },
  ),
  says(
    'Ruby',
    "/app/main.rb:3:in `<main>': undefined local variable or method `foo' for main:Object (NameError)",
    'UncaughtException',
    { name: 'NameError' },
  ),
  says(
    'Java, its deepest cause',
    'Exception in thread "main" java.lang.IllegalStateException: start failed\n\tat com.example.App.main(App.java:3)\nCaused by: java.lang.IllegalArgumentException: negative size\n\t... 3 more',
    'UncaughtException',
    { name: 'java.lang.IllegalArgumentException' },
  ),
  says(
    'Spring Boot',
    '***************************\nAPPLICATION FAILED TO START\n***************************',
    'UncaughtException',
  ),
  says(
    'Python, a fault of its own code about an address',
    "TypeError: cannot concatenate 'str' and 'int' for redis.session.svc:6379",
    'UncaughtException',
    { name: 'TypeError' },
  ),
  says(
    'Go, a panic below a connection that was made',
    'connected to postgres.shop.svc:5432\npanic: runtime error: invalid memory address or nil pointer dereference',
    'Panic',
    { name: 'runtime error: invalid memory address or nil pointer dereference' },
  ),
];
