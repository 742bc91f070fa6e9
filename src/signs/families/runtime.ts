import { rowsOf, type SignRow } from '../row.ts';

/** The memory of runtimes, panics, and exceptions that nobody caught. The last rows: whatever else a line says is more telling. */
export const runtimeRows: readonly SignRow[] = [
  {
    kind: 'TooManyProcesses',
    needs: ['new os thread', 'newosproc', 'native thread', "can't start new thread", 'fork', 'pthread_create'],
    pattern:
      /failed to create new OS thread|\bnewosproc\b|unable to create (?:new )?native thread|can't start new thread|\bfork(?:\(\))?(?: failed)?:? (?:retry: )?\(?(?:11: )?(?:Resource temporarily unavailable|EAGAIN\b)|pthread_create(?:\(\))?(?: failed)?[:( ]{1,3}(?:EAGAIN|Resource temporarily unavailable)/i,
    source: 'Go runtime; JVM; Python; shells; nginx, glibc: fork(2) and pthread_create(3) fail with EAGAIN',
  },
  ...rowsOf('RuntimeOutOfMemory', [
    {
      needs: ['outofmemoryerror', 'outofmemoryexception'],
      pattern: /\b(?<name>OutOfMemory(?:Error|Exception))\b/,
      source: 'Java; .NET',
    },
    {
      needs: ['heap out of memory', 'heap limit'],
      pattern: /JavaScript heap out of memory|Reached heap limit/,
      source: 'V8 (Node)',
    },
    {
      needs: [
        'out of memory',
        'cannot allocate memory',
        'enomem',
        'failed to allocate memory',
        'insufficient memory',
        'memory allocation',
      ],
      pattern:
        /runtime: (?:cannot allocate memory|out of memory)|(?:[:(] {0,2}|^|ERROR: {1,2})(?:[Cc]annot allocate memory|out of memory)(?=$|["'.,;:)\]]| \()|\bENOMEM\b|failed to allocate memory|insufficient memory for the Java Runtime|[Mm]emory allocation of \d{1,20} bytes failed/,
      source: 'Go runtime; strerror(ENOMEM); Ruby; JVM; Rust; PostgreSQL',
    },
    {
      needs: ['memoryerror', 'allowed memory size', 'bad_alloc', 'eheap_alloc'],
      pattern:
        /^(?:[\w.]{1,80}\.)?MemoryError\b|Allowed memory size of \d{1,20} bytes exhausted|\bstd::bad_alloc\b|eheap_alloc: Cannot allocate/,
      source: 'Python; PHP; C++; Erlang',
    },
  ]),
  ...rowsOf('Panic', [
    {
      needs: ['panic: '],
      pattern: /(?:^|\s)panic: (?<name>[^\n[]{1,120})/,
      source: 'Go',
    },
    {
      needs: ['panicked at'],
      pattern: /thread '(?:[^']{1,80})' (?:\(\d{1,10}\) )?panicked at (?<name>[^\n]{1,160})/,
      source: 'Rust',
    },
    {
      needs: ['fatal error: '],
      pattern: /^fatal error: (?<name>[^\n]{1,120})/,
      source: 'Go runtime',
    },
    {
      needs: [
        'segmentation fault',
        'sigsegv',
        'sigabrt',
        'sigbus',
        'core dumped',
        'stack smashing',
        'illegal instruction',
        'bus error',
      ],
      pattern:
        /\b(?<name>[Ss]egmentation fault|SIGSEGV|SIGABRT|SIGBUS|SIGILL|[Ii]llegal instruction|Bus error|Aborted \(core dumped\)|stack smashing detected)/,
      source: 'kernel signals as shells, JVM, Node and Go report them',
    },
    {
      needs: ['terminate called after throwing'],
      pattern: /terminate called after throwing an instance of '(?<name>[^']{1,160})'/,
      source: 'libstdc++',
    },
    {
      needs: ['panic:  ', 'kernel pid terminated', 'init terminating'],
      pattern: /\bPANIC: {1,2}(?<name>[^\n]{1,120})|Kernel pid terminated|init terminating in do_boot/,
      source: 'PostgreSQL; Erlang',
    },
  ]),
  ...rowsOf('UncaughtException', [
    {
      needs: ['exception in thread', 'unhandled exception', 'uncaught'],
      pattern:
        /(?:Exception in thread "[^"]{1,120}" |Unhandled exception[.:] |Uncaught (?:exception:? )?['"]?)(?<name>[A-Za-z_$\\][\w.$\\]{2,160})/,
      source: 'Java; .NET; PHP; Node',
    },
    {
      needs: ['caused by: '],
      pattern: /^Caused by: (?<name>[\w.$]{3,200}(?:Exception|Error|Throwable|Failure))\b/,
      source: 'Java Throwable.printStackTrace',
    },
    {
      needs: ['exit', 'error', 'exception'],
      pattern:
        /^(?:\[?\w{1,20}(?:\] ?| ))?(?<name>(?:[A-Za-z_]\w{0,60}[.:]{1,2}){0,8}[A-Z]\w{0,80}(?:Error|Exception))(?=:|$)/,
      source: 'Python, Node, Java, .NET: the first line of a trace or its last',
    },
    {
      needs: ['error)', 'exception)', 'notestablished)'],
      pattern: /\((?<name>(?:[A-Z]\w{0,60}::){0,6}[A-Z]\w{0,80}(?:Error|Exception|NotFound|NotEstablished))\)$/,
      source: 'Ruby: message (NameError)',
    },
    {
      needs: ['unhandledpromiserejection', 'application failed to start', 'application run failed'],
      pattern: /UnhandledPromiseRejection|APPLICATION FAILED TO START|Application run failed/,
      source: 'Node; Spring Boot',
    },
  ]),
];
