import { rowsOf, type SignRow } from '../row.ts';

/** Options, directives and settings that a program is given and does not know, as after an upgrade or a slip of the pen. */
export const optionRows: readonly SignRow[] = [
  {
    kind: 'none',
    needs: ['ignor', 'deprecated'],
    pattern: /\b(?:un(?:known|recogni[sz]ed)|deprecated|obsolete)\b/i,
    behind: /\b(?:ignor(?:ed|ing)|will be removed|use \S{1,60} instead)/i,
    source: 'what programs pass over',
  },
  {
    kind: 'none',
    needs: ['ignoring'],
    pattern: /\bIgnoring (?:unknown|unrecogni[sz]ed|option)\b/i,
    source: 'what programs pass over, said first',
  },
  {
    kind: 'OptionUnknown',
    needs: ['flag provided but not defined'],
    pattern: /\b[Ff]lag provided but not defined: (?<name>-{1,2}[\w.-]{1,100})/,
    source: 'Go flag; urfave/cli',
  },
  {
    kind: 'OptionUnknown',
    needs: ['flag', 'option', 'argument', 'switch'],
    pattern:
      /\b(?:un(?:known|recogni[sz]ed|expected|supported)|invalid|illegal|no such|bad) (?:(?:command[ -]line|vm|shorthand|long|short|startup|java) )?(?:flag|option|argument|switch)s?(?:\(s\))?(?: provided)?:? (?:-- )?["'`‘]?(?<name>(?:-{1,2}[A-Za-z]|(?<=['"`‘])\w)[\w.-]{0,100})/i,
    source: 'pflag (cobra), getopt, argparse, click, clap, JVM, Node: each in nearly the same words',
  },
  ...rowsOf('SettingsUnusable', [
    {
      needs: ['unknown', 'unrecogni', 'not a known', 'bad directive', "doesn't exist"],
      pattern:
        /\b(?:unknown|unrecogni[sz]ed) (?:(?:config(?:uration)?|server|system) )?(?:directive|keyword|variable|setting|entry|(?<=config(?:uration)? )(?:key|option|parameter|field|property))s?:? ["'`[]?(?<name>[\w.-]{1,100})|\bunrecogni[sz]ed option: (?<name>\w[\w.]{1,100})|\bThe option (?<name>[\w.-]{1,100}) is not a known option|\bBad directive or wrong number of arguments|\bSetting "(?<name>[\w.-]{1,100})" doesn't exist/i,
      source: 'MySQL, MariaDB, CoreDNS, HAProxy, Grafana; KurrentDB; Redis; Logstash',
    },
    {
      needs: [
        'unknown key',
        'invalid configuration key',
        'invalid config key',
        'unknown configuration',
        'unknown config',
      ],
      pattern: /\b(?:unknown (?:config(?:uration)? )?|invalid config(?:uration)? )key:? ['"`]?(?<name>[\w.-]{1,100})/i,
      source: 'Cherokee; Authelia; own checks of many programs',
    },
    {
      needs: ['not found in type', 'field not found, node', 'cannot unmarshal the configuration', 'were not used'],
      pattern:
        /\bfield (?<name>[\w.-]{1,100}) not found in type \w|\bfield not found, node: (?<name>[\w.[\]-]{1,100})|\bcannot unmarshal the configuration\b|\bspecified the fields \["(?<name>[\w.-]{1,100})/,
      source: 'go-yaml in strict mode; Traefik; OpenTelemetry Collector; Telegraf',
    },
    {
      needs: ['plugin/loop: ', 'no configuration has been provided', 'no configuration found'],
      pattern:
        /\bplugin\/loop: (?:Loop|Seen)\b|\binvalid configuration: no configuration has been provided\b|\bno configuration found in file: (?<name>\S{1,200})/,
      source: 'CoreDNS, which would ask itself; client-go without a kubeconfig; Traefik',
    },
    {
      needs: ['syntax error'],
      pattern: /^(?<name>\/[\w./-]{1,200}): (?:line )?\d{1,6}: [Ss]yntax error\b/,
      source: 'bash, dash, BusyBox ash: the script itself',
    },
  ]),
  {
    kind: 'KeyMissing',
    needs: ['missing script', 'option must be provided', 'secret_key_base'],
    pattern:
      /\bMissing script: "(?<name>[\w:.-]{1,100})"|'(?<name>[\w.-]{1,100})' configuration option must be provided|Missing `(?<name>secret_key_base)` for/,
    source: 'npm; Authelia; Rails',
  },
];
