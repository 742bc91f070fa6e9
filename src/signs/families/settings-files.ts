import type { SignRow } from '../row.ts';

/** Files of settings that a program reads and cannot use: what stands in them, and not that they are missing or closed to it. */
export const settingsFileRows: readonly SignRow[] = [
  {
    kind: 'SettingsUnusable',
    needs: ['[emerg]'],
    pattern: /\[emerg\] /,
    behind: / in (?<name>\/[^\s:]{2,200}):\d{1,6}/,
    source: 'nginx ngx_conf_file',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['parsing ['],
    pattern: /\bparsing \[(?<name>\/[^\]:\s]{2,200}):\d{1,6}\]/,
    source: 'HAProxy',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['error during parsing', 'parse error'],
    pattern:
      /(?:Error during parsing|Parse error)(?<=(?<![\w:/.])(?<name>\/[\w./@-]{2,200}):\d{1,6}(?::\d{1,6})?(?: -)?:? (?:Error during parsing|Parse error))/,
    source: 'CoreDNS; NATS',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['[config]', 'syntax error on line', 'contains errors'],
    pattern:
      /\[config\] file=(?<name>\/\S{2,200}) line=\d|\b[Ss]yntax error on line \d{1,6} of (?<name>\/[^\s:]{2,200})|\bconfiguration file "(?<name>\/[^"]{2,200})" contains errors/,
    source: 'Fluent Bit; Apache; PostgreSQL',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['file failed', 'file could not'],
    pattern: /\bconfig(?:uration)? file (?:failed|could not be (?:read|parsed|loaded))/i,
    behind: /\bfile=(?<name>\/\S{2,200})/,
    source: 'Prometheus Alertmanager',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['config', 'settings'],
    pattern:
      /\b(?:[Ee]rror|[Ff]ail(?:ed|ure)|[Ii]nvalid|[Cc]ould not|[Cc]annot|[Uu]nable to)\b[^/\n]{0,60}?\b[Cc]onfig(?:uration|\.file)?\b[^/\n]{0,120}?(?<![:/])(?<name>\/[\w.@-]{1,80}(?:\/[\w.@-]{1,80}){0,12})/,
    source: 'Prometheus, Loki, Dex; own checks of many programs',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['cannot unmarshal !!', 'adapting config using', 'failed to bind properties under'],
    pattern:
      /\byaml: unmarshal errors|\bcannot unmarshal !!\w{2,10}|\badapting config using \w{1,20}: (?<name>[\w./-]{1,200}):\d|\bFailed to bind properties under '(?<name>[^']{1,200})'/,
    source: 'go-yaml; Caddy; Spring Boot',
  },
  {
    kind: 'SettingsUnusable',
    needs: ['", line '],
    pattern: /\bin "(?<name>\/[^"]{2,200})", line \d{1,6}, column \d/,
    source: 'PyYAML MarkedYAMLError',
  },
];
