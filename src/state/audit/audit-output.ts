import type { AuditSink } from './audit-file.ts';

/** A stream that lines can be written to, such as standard output. */
export type Output = { write(text: string, written: (error?: Error | null) => void): unknown };

/** The audit log on standard output, between the log lines. Each line is written whole; what collects them makes them durable. */
export function auditOutput(output: Output): AuditSink {
  return {
    append: (lines) =>
      new Promise((resolve, reject) => {
        output.write(lines.map(({ text }) => text).join(''), (error) => (error ? reject(error) : resolve()));
      }),
    close: () => Promise.resolve(),
  };
}
