import { rowsOf, type SignRow } from '../row.ts';

/** Files of settings that a program reads and cannot use: what stands in them, and not that they are missing or closed to it. */
export const settingsFileRows: readonly SignRow[] = [
  ...rowsOf('SettingsUnusable', [
    {
      needs: ['[emerg]'],
      pattern: /\[emerg\] /,
      behind: / in (?<name>\/[^\s:]{2,200}):\d{1,6}/,
      source: 'nginx ngx_conf_file',
    },
    {
      needs: ['parsing ['],
      pattern: /\bparsing \[(?<name>\/[^\]:\s]{2,200}):\d{1,6}\]/,
      source: 'HAProxy',
    },
    {
      needs: ['error during parsing', 'parse error'],
      pattern:
        /(?:Error during parsing|Parse error)(?<=(?<![\w:/.])(?<name>\/[\w./@-]{2,200}):\d{1,6}(?::\d{1,6})?(?: -)?:? (?:Error during parsing|Parse error))/,
      source: 'CoreDNS; NATS',
    },
    {
      needs: ['[config]', 'syntax error on line', 'contains errors'],
      pattern:
        /\[config\] file=(?<name>\/\S{2,200}) line=\d|\b[Ss]yntax error on line \d{1,6} of (?<name>\/[^\s:]{2,200})|\bconfiguration file "(?<name>\/[^"]{2,200})" contains errors/,
      source: 'Fluent Bit; Apache; PostgreSQL',
    },
    {
      needs: ['file failed', 'file could not'],
      pattern: /\bconfig(?:uration)? file (?:failed|could not be (?:read|parsed|loaded))/i,
      behind: /\bfile=(?<name>\/\S{2,200})/,
      source: 'Prometheus Alertmanager',
    },
    {
      needs: ['config', 'settings'],
      pattern:
        /\b(?:[Ee]rror|[Ff]ail(?:ed|ure)|[Ii]nvalid|[Cc]ould not|[Cc]annot|[Uu]nable to)\b[^/\n]{0,60}?\b[Cc]onfig(?:uration|\.file)?\b[^/\n]{0,120}?(?<![:/])(?<name>\/[\w.@-]{1,80}(?:\/[\w.@-]{1,80}){0,12})/,
      source: 'Prometheus, Loki, Dex; own checks of many programs',
    },
    {
      needs: ['cannot unmarshal !!', 'adapting config using', 'failed to bind properties under'],
      pattern:
        /\byaml: unmarshal errors|\bcannot unmarshal !!\w{2,10}|\badapting config using \w{1,20}: (?<name>[\w./-]{1,200}):\d|\bFailed to bind properties under '(?<name>[^']{1,200})'/,
      source: 'go-yaml; Caddy; Spring Boot',
    },
    {
      needs: ['", line '],
      pattern: /\bin "(?<name>\/[^"]{2,200})", line \d{1,6}, column \d/,
      source: 'PyYAML MarkedYAMLError',
    },
    {
      needs: ['no valid config', 'bungled '],
      pattern: /\bno valid configs? found in ["']?(?<name>\/[\w./-]{1,200})|\bBungled (?<name>\/\S{1,200}) line \d/,
      source: 'CNI; Squid',
    },
    {
      // A place in a file of settings, and what is wrong there; in whichever order.
      needs: ['.yaml', '.yml', '.json', '.toml', '.ini', '.conf', '.cfg', '.cnf', '.xml', '.properties', '.hcl'],
      pattern:
        /(?<![\w./-])(?<name>\/[\w./@-]{1,200}\.(?:ya?ml|json|toml|ini|conf|cfg|cnf|xml|properties|hcl))(?::\d{1,6}|["')\]]{0,2},? (?:at |on )?line \d{1,6}|: (?=Unexpected))/,
      behind:
        /\b(?:un(?:known|expected|recogni[sz]ed|supported|defined|terminated)|mismatched|invalid|malformed|syntax|duplicate|illegal|not allowed|parse error)\b/i,
      source: 'NATS, PHP-FPM, Node; parsers of many programs',
    },
    {
      needs: ['mismatched', 'unexpected', 'unknown', 'unrecogni', 'invalid', 'malformed', 'syntax', 'not well-formed'],
      pattern: /\b(?:mismatched|unexpected|unknown|unrecogni[sz]ed|invalid|malformed|syntax|not well-formed)\b/i,
      behind:
        / (?:in|at|of|from) (?:file )?["'`]?(?<name>\/[\w./@-]{1,200}\.(?:ya?ml|json|toml|ini|conf|cfg|cnf|xml|properties|hcl))\b["'`]?(?::\d|,? (?:at |on )?line \d)/,
      source: 'expat, Poco; parsers of many programs',
    },
    {
      needs: [
        'invalid yaml',
        'invalid json',
        'invalid toml',
        'invalid xml',
        'is registered for version',
        'parse error on field',
        'envconfig.process',
        'heap size',
        'bad numeric',
        'key length should be',
      ],
      pattern:
        /\b[Ii]nvalid (?:YAML|yaml|JSON config|TOML|toml|XML config)\b|\bno kind "\w{1,80}" is registered for version\b|\benv: parse error on field "|\benvconfig\.Process: assigning [A-Z]|\bInvalid (?:maximum|initial|minimum) heap size\b|\b[Aa]ccess key length should be\b|\bbad (?:numeric|string|boolean) configuration: /,
      source: 'Cassandra; Kubernetes component configuration; Go env and envconfig; JVM; MinIO; Postfix',
    },
  ]),
];

/** That settings cannot be used, without a word of what is wrong with them: whatever else a line says is more telling. */
export const vagueSettingsRows: readonly SignRow[] = [
  {
    // Named after what is wrong: the settings.
    kind: 'SettingsUnusable',
    needs: ['configurationerror', 'configerror', 'configurationexception', 'configexception', 'unknown_fields'],
    pattern: /\bConfig(?:uration)?(?:Error|Exception)\b|\bunknown_fields\b/,
    source: 'Logstash, Fluentd; EMQX: HOCON',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['config', 'settings'],
    pattern:
      /\b(?:invalid|bad|broken|malformed|erroneous|bungled) (?:\w{1,20} ){0,2}config(?:uration)?\b(?! (?:key|property|directive))|\bconfig(?:uration)?(?: file)?(?: ["'`]?[\w./-]{1,200}["'`]?)? (?:error\b|(?:is|was) (?:invalid|not valid|malformed|broken)|(?:has|contains) errors|(?:validation|parsing|check) failed)|\b(?:error|failed|failure|could not|cannot|can't|unable)(?: to|:| in| while| when)? (?:load|pars|read|decod|process|validat|unmarshall?|apply|prepar)(?:e|ing|ed)? (?:the |its )?(?:\w{1,20} ){0,2}(?:config(?:uration)?|settings)\b/i,
    source: 'what most programs say of settings that they cannot begin with, in nearly the same words',
  },
];
