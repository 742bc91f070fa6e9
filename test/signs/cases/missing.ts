import { type SignCase, says } from '../case.ts';

/** Files, commands, modules and libraries that are not there. */
export const missingCases: readonly SignCase[] = [
  says('Go os', 'open /etc/app/config.yaml: no such file or directory', 'FileMissing', {
    name: '/etc/app/config.yaml',
  }),
  says('Go os, of a pattern', 'open /etc/pay__ments/config_*.yaml: no such file or directory', 'FileMissing', {
    name: '/etc/pay__ments/config_*.yaml',
  }),
  says('Node', "Error: ENOENT: no such file or directory, open '/app/certs/tls.key'", 'FileMissing', {
    name: '/app/certs/tls.key',
  }),
  says('Python', "FileNotFoundError: [Errno 2] No such file or directory: 'settings.yaml'", 'FileMissing', {
    name: 'settings.yaml',
  }),
  says('Java', 'java.io.FileNotFoundException: /config/application.yml (No such file or directory)', 'FileMissing', {
    name: '/config/application.yml',
  }),
  says('Java nio', 'Caused by: java.nio.file.NoSuchFileException: /secrets/keystore.p12', 'FileMissing', {
    name: '/secrets/keystore.p12',
  }),
  says(
    '.NET',
    "System.IO.FileNotFoundException: The configuration file 'appsettings.Production.json' was not found and is not optional.",
    'FileMissing',
    { name: 'appsettings.Production.json' },
  ),
  says(
    '.NET',
    "Unhandled exception. System.IO.FileNotFoundException: Could not find file '/app/data.json'.",
    'FileMissing',
    { name: '/app/data.json' },
  ),
  says('Ruby', 'No such file or directory @ rb_sysopen - /app/config/database.yml (Errno::ENOENT)', 'FileMissing', {
    name: '/app/config/database.yml',
  }),
  says(
    'nginx',
    'nginx: [emerg] open() "/etc/nginx/conf.d/upstreams.conf" failed (2: No such file or directory) in /etc/nginx/nginx.conf:31',
    'FileMissing',
    { name: '/etc/nginx/conf.d/upstreams.conf' },
  ),
  says(
    'nginx',
    'nginx: [emerg] cannot load certificate "/etc/tls/tls.crt": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory:calling fopen(/etc/tls/tls.crt, r))',
    'FileMissing',
    { name: '/etc/tls/tls.crt' },
  ),
  says('GNU cat', 'cat: /run/secrets/token: No such file or directory', 'FileMissing', { name: '/run/secrets/token' }),
  says('python', "python: can't open file '/app/main.py': [Errno 2] No such file or directory", 'FileMissing', {
    name: '/app/main.py',
  }),
  says('runc', 'exec /app/run.sh: no such file or directory', 'FileMissing', { name: '/app/run.sh' }),
  says('runc', 'exec: "gunicorn": executable file not found in $PATH', 'FileMissing', { name: 'gunicorn' }),
  says('dash', '/bin/sh: 1: migrate: not found', 'FileMissing', { name: 'migrate' }),
  says('bash', '/entrypoint.sh: line 12: psql: command not found', 'FileMissing', { name: 'psql' }),
  says('java launcher', 'Error: Unable to access jarfile app.jar', 'FileMissing', { name: 'app.jar' }),
  says('Rust', 'Error: Os { code: 2, kind: NotFound, message: "No such file or directory" }', 'FileMissing'),
  says(
    'Node',
    "Error: Cannot find module '/app/dist/main.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1134:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}",
    'ModuleMissing',
    { name: '/app/dist/main.js' },
  ),
  says(
    'Node ESM',
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'express' imported from /app/server.js",
    'ModuleMissing',
    { name: 'express' },
  ),
  says(
    'Python',
    'Traceback (most recent call last):\n  File "/app/main.py", line 1, in <module>\n    import psycopg2\nModuleNotFoundError: No module named \'psycopg2\'',
    'ModuleMissing',
    { name: 'psycopg2' },
  ),
  says(
    'Python',
    "ImportError: cannot import name 'Markup' from 'jinja2' (/usr/lib/python3/site-packages/jinja2/__init__.py)",
    'ModuleMissing',
    { name: 'Markup' },
  ),
  says('Java', 'Exception in thread "main" java.lang.NoClassDefFoundError: org/slf4j/LoggerFactory', 'ModuleMissing', {
    name: 'org/slf4j/LoggerFactory',
  }),
  says('java launcher', 'Error: Could not find or load main class com.example.App', 'ModuleMissing', {
    name: 'com.example.App',
  }),
  says(
    '.NET',
    "Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly 'Newtonsoft.Json, Version=13.0.0.0, Culture=neutral'. The system cannot find the file specified.",
    'ModuleMissing',
    { name: 'Newtonsoft.Json' },
  ),
  says(
    'Ruby',
    "<internal:/usr/local/lib/ruby/rubygems/core_ext/kernel_require.rb>:136:in `require': cannot load such file -- pg (LoadError)",
    'ModuleMissing',
    { name: 'pg' },
  ),
  says('Bundler', 'Could not find rack-2.2.8 in any of the sources (Bundler::GemNotFound)', 'ModuleMissing', {
    name: 'rack-2.2.8',
  }),
  says(
    'PHP',
    'PHP Fatal error:  Uncaught Error: Class "Redis" not found in /var/www/html/cache.php:3',
    'ModuleMissing',
    { name: 'Redis' },
  ),
  says(
    'PHP PDO',
    'PHP Fatal error:  Uncaught PDOException: could not find driver in /var/www/html/db.php:3',
    'ModuleMissing',
  ),
  says(
    'glibc',
    './app: error while loading shared libraries: libpq.so.5: cannot open shared object file: No such file or directory',
    'ModuleMissing',
    { name: 'libpq.so.5' },
  ),
  says(
    'musl',
    'Error loading shared library libssl.so.1.1: No such file or directory (needed by /app/server)',
    'ModuleMissing',
    { name: 'libssl.so.1.1' },
  ),
  says(
    'glibc',
    "./server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by ./server)",
    'ModuleMissing',
    { name: 'GLIBC_2.34' },
  ),
  says(
    'Perl',
    "Can't locate DBD/Pg.pm in @INC (you may need to install the DBD::Pg module) (@INC contains: /etc/perl)",
    'ModuleMissing',
    { name: 'DBD/Pg.pm' },
  ),
];
