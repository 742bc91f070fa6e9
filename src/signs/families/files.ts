import { rowsOf, type SignRow } from '../row.ts';

/** Files and addresses that the kernel does not give: whose path it is, is found beside the sentence of the C library. */
export const fileRows: readonly SignRow[] = [
  {
    kind: 'none',
    needs: [', client: '],
    // Of a request, not of the server: somebody asked for what is not there.
    pattern: /open\(\) "[^"]{1,300}" failed \((?:2|13|20): [A-Za-z ]{5,40}\), client: /,
    source: 'nginx: a request for a file that does not exist',
  },
  {
    kind: 'ReadOnlyFileSystem',
    needs: ['read-only file system', 'erofs'],
    pattern: /(?:\bEROFS: )?\b[Rr]ead-only file system\b|\bEROFS\b|\bReadOnlyFilesystem\b/,
    source: 'strerror(EROFS), every runtime',
  },
  {
    kind: 'TooManyOpenFiles',
    needs: ['file watchers', 'inotify', 'fsnotify', 'newwatcher'],
    // What is full is the kernel's list of watches, not a disk.
    pattern:
      /System limit for number of file watchers reached|number of inotify (?:instances|watches)|(?:inotify_init1?|inotify_add_watch|fsnotify|NewWatcher):? (?:[\w.]{1,30}: )?(?:too many open files|no space left)/,
    source: 'inotify limits: Node, .NET, Go fsnotify',
  },
  {
    kind: 'TooManyOpenFiles',
    needs: ['too many open files', 'emfile', 'enfile', 'too many files open'],
    pattern: /\b[Tt]oo many open files\b|\bEM?FILE\b|\bENFILE\b|Too many files open/,
    source: 'strerror(EMFILE, ENFILE), every runtime',
  },
  {
    kind: 'NoSpaceLeft',
    needs: [
      'no space left on device',
      'enospc',
      'not enough space on the disk',
      'disk quota exceeded',
      'flood stage',
      'flood-stage',
      'errno: 28',
      'disk is full',
      'database or disk is full',
    ],
    pattern:
      /(?:\bENOSPC: )?\b[Nn]o space left on device\b|\bENOSPC\b|not enough space on the disk|[Dd]isk quota exceeded|flood[- ]stage (?:disk )?watermark|\(?errno: 28\b|(?:database or )?disk is full/,
    source: 'strerror(ENOSPC, EDQUOT); .NET; Elasticsearch; MySQL; SQLite',
  },
  {
    kind: 'FileSystemFailing',
    needs: [
      'stale file handle',
      'estale',
      'input/output error',
      'transport endpoint is not connected',
      'structure needs',
    ],
    pattern:
      /(?:\bESTALE: )?\b[Ss]tale (?:NFS )?file handle\b|\bESTALE\b|\b[Ii]nput\/output error\b|\b[Tt]ransport endpoint is not connected\b|\b[Ss]tructure needs cleaning\b/,
    source: 'strerror(ESTALE, EIO, ENOTCONN of FUSE, EUCLEAN), every runtime',
  },
  {
    kind: 'FileSystemFailing',
    needs: ['eio: i/o error'],
    pattern: /\bEIO: i\/o error\b/,
    source: 'Node (libuv) strerror of EIO',
  },
  ...rowsOf('AddressInUse', [
    {
      needs: ['address already in use'],
      pattern: /\blisten \w{2,5} (?<name>\S{0,80}:\d{1,5}): bind: address already in use/,
      source: 'Go net.Listen',
    },
    {
      needs: ['eaddrinuse'],
      pattern: /\blisten EADDRINUSE: address already in use (?<name>\S{1,80})/,
      source: 'Node net',
    },
    {
      needs: ['address already in use'],
      pattern:
        /\b(?:bind\(\) to|cannot bind|[Ff]ailed to bind to address|socket(?: for address)?|could not bind to address|bind IPv[46] address|bind on address) ["'(]{0,2}(?<name>(?:https?:\/\/)?[\w.:*[\]]{1,80})(?=["'\s)])["')]{0,2}(?: failed|:? bind)?[^A-Za-z]{0,10}[Aa]ddress already in use/,
      source: 'nginx; Envoy; Kestrel; Redis; Apache; PostgreSQL; asyncio',
    },
    {
      needs: ['was already in use', 'is already in use', 'connection in use'],
      pattern: /[Pp]ort (?<name>\d{1,5}) (?:was|is) already in use/,
      source: 'Spring Boot; Django; many frameworks',
    },
    {
      needs: ['connection in use'],
      pattern: /Connection in use: \('[^']{0,80}', (?<name>\d{1,5})\)/,
      source: 'gunicorn',
    },
    {
      needs: ['address already in use', 'eaddrinuse', 'addrinuse', 'another mysqld server running'],
      pattern:
        /[Aa]ddress already in use(?: - bind\(2\) for "[^"]{1,80}" port (?<name>\d{1,5}))?|\bEADDRINUSE\b|\bkind: AddrInUse\b|another mysqld server running on port/,
      source: 'strerror(EADDRINUSE): Java, Python, Ruby, Rust, MySQL',
    },
  ]),
  {
    kind: 'ExecFormat',
    needs: ['exec format error'],
    pattern: /(?:exec |fork\/exec )["']?(?<name>\/[^"'\s:]{1,300})["']?: exec format error/i,
    source: 'containerd and runc; Go os/exec',
  },
  {
    kind: 'ExecFormat',
    needs: ['exec format error', 'cannot execute binary file', 'image is for a different'],
    pattern: /\b[Ee]xec format error\b|cannot execute binary file/,
    source: 'strerror(ENOEXEC): kernel, shells, runc',
  },
  ...rowsOf('PermissionDenied', [
    {
      needs: ['permission denied', 'eacces'],
      pattern: /\blisten (?:tcp\d? |EACCES: permission denied )(?<name>\S{0,80}:\d{1,5})(?:: bind: permission denied)?/,
      source: 'Go net.Listen, Node net: a port below 1024',
    },
    {
      needs: ['permission denied'],
      pattern: /bind\(\) to (?<name>\S{1,80}:\d{1,5}) failed \(13: Permission denied/,
      source: 'nginx: a port below 1024',
    },
    {
      needs: ['permission denied', 'eacces', 'permissiondenied'],
      pattern:
        /(?:\bEACCES: )?\b[Pp]ermission denied\b(?! \(publickey| for | to )|\bEACCES\b|(?<=: )eacces\b|\bkind: PermissionDenied\b/,
      source: 'strerror(EACCES), every runtime',
    },
    {
      needs: ['is denied', 'accessdeniedexception: /'],
      pattern: /Access to the path '(?<name>[^']{1,300})' is denied/,
      source: '.NET UnauthorizedAccessException',
    },
    {
      needs: ['accessdeniedexception: /'],
      pattern: /AccessDeniedException: (?<name>\/[^\s:]{1,300})/,
      source: 'Java java.nio.file',
    },
    {
      needs: ['operation not permitted', 'eperm'],
      pattern: /\b[Oo]peration not permitted\b|\bEPERM\b/,
      source: 'strerror(EPERM): chown, setuid, mount',
    },
    {
      needs: [
        'must be owned by',
        'cannot write into',
        'has wrong ownership',
        'has invalid permissions',
        'has group or world access',
        'is not writable',
        'not writeable',
        'accessible by owner only',
        'unable to write to the backend',
        'file access denied',
      ],
      pattern:
        /directory "(?<name>[^"]{1,300})" has (?:wrong ownership|invalid permissions|group or world access)|file (?<name>\/\S{1,300}) must be accessible by owner only|\bmust be owned by (?:the user|root|uid)\b|\b[Cc]annot write into "(?<name>[^"]{1,200})"|Unable to write to the backend|\bfile access denied\b/,
      source: 'PostgreSQL checkDataDir; Erlang; MinIO',
    },
  ]),
];
