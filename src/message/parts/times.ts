const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `08:59 UTC`; `20 Nov 08:59 UTC` when it is another day than `now`; the year when that differs. Epoch milliseconds. */
export function clockTime(at: number, now: number): string {
  const [date, time] = [new Date(at), new Date(at).toISOString().slice(11, 16)];
  if (Math.floor(at / 86_400_000) === Math.floor(now / 86_400_000)) return `${time} UTC`;
  const year = date.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${date.getUTCFullYear()}`;
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}${year} ${time} UTC`;
}

const written = new RegExp(
  `\\b(?:(\\d{1,2}) (${months.join('|')})(?: (\\d{4}))? )?([01]\\d|2[0-3]):([0-5]\\d) UTC\\b`,
  'g',
);

/** A time in a text. `at`: epoch milliseconds. `withDay`: its day is written, so it is not that of the message. */
export type WrittenTime = { readonly at: number; readonly withDay: boolean; readonly asWritten: string };

/** The text with each time in it, as `clockTime` writes them, written by `write`. `now`: of the message (epoch milliseconds). */
export function replaceTimes(text: string, now: number, write: (time: WrittenTime) => string): string {
  return text.replace(written, (whole, day?: string, month?: string, year?: string, hour?: string, minute?: string) => {
    const today = new Date(now);
    const at = Date.UTC(
      year === undefined ? today.getUTCFullYear() : Number(year),
      month === undefined ? today.getUTCMonth() : months.indexOf(month),
      day === undefined ? today.getUTCDate() : Number(day),
      ...[Number(hour), Number(minute)],
    );
    return Number.isNaN(at) ? whole : write({ at, withDay: day !== undefined, asWritten: whole });
  });
}
