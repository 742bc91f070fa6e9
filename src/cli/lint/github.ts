import type { Level } from '../../api/lint/remark.ts';
import { plain } from './plain.ts';
import { longName, type Report } from './report.ts';

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const satisfies Record<Level, string>;

/** Escapes of GitHub's workflow commands (docs.github.com, "Workflow commands for GitHub Actions"). */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The report as workflow commands, which GitHub shows beside the lines of a change. */
export function githubReport({ problems }: Report): string {
  const lines = problems.map(({ level, rule, file, position, object, message }) => {
    const properties = {
      ...(file !== undefined && file !== '-' && { file: plain(file) }),
      ...(position && file !== '-' && { line: String(position.line), col: String(position.column) }),
      title: `tocsin ${rule}`,
    };
    const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`);
    const about = file === undefined && object !== undefined ? `${longName(object)}: ${message}` : message;
    return `::${commands[level]} ${list.join(',')}::${escapeData(about)}\n`;
  });
  return lines.join('');
}
