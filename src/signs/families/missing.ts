import { rowsOf, type SignRow } from '../row.ts';

/** Modules, libraries and files that are not there. Modules first: their sentences say "no such file" as well. */
export const missingRows: readonly SignRow[] = [
  ...rowsOf('ModuleMissing', [
    {
      needs: ['cannot open shared object file', 'error loading shared library'],
      pattern: /(?:loading shared librar(?:ies|y):?|error:) (?<name>[\w.+-]{1,120}\.so[\w.]{0,20})/i,
      source: 'ld.so of glibc and musl',
    },
    {
      needs: ['version `glibc', "version 'glibc", 'version `glibcxx', 'version `cxxabi'],
      pattern: /version [`'](?<name>(?:GLIBC|GLIBCXX|CXXABI)_[\d.]{1,12})' not found/,
      source: 'ld.so of glibc',
    },
    {
      needs: ['cannot find module', 'cannot find package'],
      pattern: /Cannot find (?:module|package) ['"](?<name>[^'"\s]{1,300})['"]/,
      source: 'Node MODULE_NOT_FOUND, ERR_MODULE_NOT_FOUND',
    },
    {
      needs: ['no module named'],
      pattern: /No module named '?(?<name>[\w.-]{1,200})'?/,
      source: 'Python ModuleNotFoundError',
    },
    {
      needs: ['cannot import name'],
      pattern: /ImportError: cannot import name '(?<name>\w{1,120})'/,
      source: 'Python ImportError',
    },
    {
      needs: ['classnotfoundexception', 'noclassdeffounderror', 'nosuchmethoderror'],
      pattern: /\b(?:ClassNotFoundException|NoClassDefFoundError|NoSuchMethodError): '?(?<name>[\w.$/]{1,250})/,
      source: 'Java class loading',
    },
    {
      needs: ['could not find or load main class'],
      pattern: /Could not find or load main class (?<name>[\w.$/-]{1,250})/,
      source: 'java launcher',
    },
    {
      needs: ['could not load file or assembly'],
      pattern: /Could not load file or assembly '(?<name>[^',]{1,250})/,
      source: '.NET assembly loading',
    },
    {
      needs: ['cannot load such file'],
      pattern: /cannot load such file -- (?<name>\S{1,250})/,
      source: 'Ruby LoadError',
    },
    {
      needs: ['in any of the sources', 'in locally installed gems', 'in rubygems repository'],
      pattern:
        /Could not find (?:gem '|'?)(?<name>[\w.-]{1,140})(?=[' ])[^C]{0,100}(?:in any of the sources|in locally installed gems|in rubygems repository)/,
      source: 'Bundler GemNotFound',
    },
    {
      needs: ['in locally installed gems'],
      pattern:
        /Could not find (?<name>[a-z][\w-]{0,80}?)-\d[\w.]{0,30}(?:, [\w.-]{1,100}){1,40} in locally installed gems/,
      source: 'Bundler GemNotFound of several',
    },
    {
      needs: ['unsupportedclassversionerror', 'class file version'],
      pattern:
        /\bhas been compiled by a more recent version of the Java(?<=(?<![\w.$/])(?<name>[\w.$/]{1,200}) has been compiled by a more recent version of the Java)/,
      source: 'JVM: the image has an older one',
    },
    {
      needs: [
        'the module ',
        'the application ',
        'failed opening required',
        'production build',
        'do you need to insmod',
      ],
      pattern:
        /\b[Tt]he (?:module|package) ["'`]?(?<name>[\w./-]{1,120}?)["'`]? (?:was|is) not found\b|\b[Tt]he application '(?<name>[^']{1,200})' does not exist|Failed opening required '(?<name>[^']{1,300})'|\bCould not find a production build\b|\bdo you need to insmod\b/,
      source: 'Celery; .NET host; PHP; Next.js; iptables: the kernel lacks its table',
    },
    {
      needs: ['module'],
      pattern:
        /\b[Cc]ould not import (?:module )?["'](?<name>[\w./-]{1,200})["']|\b[Mm]odule not found:? ["'](?<name>[^"'\s]{1,300})["']|\bnot found in module ["'](?<name>[\w./-]{1,200})["']|\(module (?<name>[\w.]{1,200}) is not available\)|\bmodprobe: FATAL: Module (?<name>[\w-]{1,60}) not found\b/,
      source: 'uvicorn; Deno; Elixir; kmod',
    },
    {
      needs: ['bpf probe', 'load the driver'],
      pattern: /\b(?:can't|cannot|could not) open BPF probe '(?<name>[^']{1,300})'/,
      source: 'Falco: the driver that it brings for the kernel',
    },
    {
      needs: ['not found'],
      pattern: /\b(?:Class|Interface|Trait) ["'](?<name>[\w\\]{1,250})["'] not found/,
      source: 'PHP autoloading',
    },
    {
      needs: ['could not find driver', 'unable to load dynamic library'],
      pattern: /could not find driver|Unable to load dynamic library '(?<name>[^']{1,200})'/,
      source: 'PHP PDO and extensions',
    },
    {
      needs: ["can't locate "],
      pattern: /Can't locate (?<name>[\w/]{1,200}\.pm) in @INC/,
      source: 'Perl',
    },
  ]),
  ...rowsOf('FileMissing', [
    {
      needs: ['executable file not found'],
      pattern: /\b[Ee]xec: "(?<name>[^"]{1,300})": executable file not found/,
      source: 'Go os/exec, runc, containerd',
    },
    {
      needs: ['command not found', ': not found', 'inaccessible or not found'],
      pattern:
        /(?:\bline \d{1,6}|^(?:\/bin\/)?(?:ba|da|a|z|k)?sh|: \d{1,6}|\bexec): (?<name>[\w./+-]{1,200}): (?:command )?not found/,
      source: 'bash, dash, BusyBox ash: exit code 127',
    },
    {
      needs: ['unable to access jarfile'],
      pattern: /Unable to access jarfile (?<name>\S{1,300})/,
      source: 'java launcher',
    },
    {
      needs: ['nosuchfileexception'],
      pattern: /NoSuchFileException: (?<name>[^\s:]{1,300})/,
      source: 'Java java.nio.file',
    },
    {
      needs: [
        'could not find file',
        'could not find a part of the path',
        'was not found and is not optional',
        'file does not exist',
      ],
      pattern: /(?:Could not find (?:file|a part of the path)|The configuration file) '(?<name>[^']{1,300})'/,
      source: '.NET System.IO and configuration',
    },
    {
      needs: ['was not found', 'file not found'],
      pattern: /\b[Ff]ile (?:(?<name>\/[^\s"',;]{1,300}) was not found|not found: (?<name>\/[^\s"',;]{1,300}))/,
      source: 'google-auth; own checks of many programs',
    },
    {
      needs: ['no such file or directory', 'enoent', 'no such file', 'required file not found', 'kind: notfound'],
      pattern:
        /(?:\bENOENT: )?\b[Nn]o such file or directory\b|\bENOENT\b|required file not found|\bcode: 2, kind: NotFound\b/,
      source: 'strerror(ENOENT), every runtime',
    },
  ]),
  {
    kind: 'ModuleMissing',
    needs: ["framework: '"],
    pattern: /^Framework: '(?<name>[\w.]{1,120})', version '/,
    source: '.NET host: the runtime of the image is another',
  },
  {
    kind: 'FileMissing',
    needs: ["doesn't exist"],
    pattern:
      /\b(?:[Pp]rovided |[Cc]onfig(?:uration)? |[Ss]chema )?(?:path|file) [`"'](?<name>[^`"'\s]{1,300})[`"'](?: from \S{1,100})? doesn't exist/,
    source: 'Prisma; own checks of many programs',
  },
];
