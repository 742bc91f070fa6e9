import { BoundedMap } from '../model/bounded-map.ts';
import type { Notification } from '../model/notification.ts';
import type { OwnWords } from '../model/own-words.ts';
import { mapTexts } from './parts/texts.ts';
import { replaceTimes } from './parts/times.ts';

/** A notification as the readers of one AlertProvider want it, and what of their wishes could not be met. */
export type Worded = { readonly notification: Notification; readonly problem?: string };

/** Puts a notification into people's own words: a prefix, other facts in another order, times of their zone. */
export function inOwnWords(notification: Notification, message: OwnWords | undefined): Worded {
  if (message === undefined) return { notification };
  const { prefix, facts, timeZone } = message;
  const told = { ...notification, facts: factsOf(notification, facts) };
  const titled = prefix === undefined ? told : { ...told, title: prefixed(told.title, prefix) };
  if (timeZone === undefined) return { notification: titled };
  const clock = clockOf(timeZone);
  if (clock === undefined)
    return { notification: titled, problem: `there is no time zone "${timeZone}": times are in UTC` };
  return {
    notification: mapTexts(titled, (text, kind) => (kind === 'sentence' ? inZone(text, titled.at, clock) : text)),
  };
}

/** Behind the state in front (`[high]`), by which mailboxes and people sort. */
function prefixed(title: string, prefix: string): string {
  return title.replace(/^(\[[^\]]{1,20}\] )?/, (state) => `${state}${prefix} `);
}

function factsOf({ facts, incident }: Notification, wanted: OwnWords['facts'] = {}): Notification['facts'] {
  const { add = [], leaveOut = [], order = [] } = wanted;
  const added = incident
    ? add.flatMap((fact) => {
        const { name, label, value = label === undefined ? '' : incident.labels[label] } = fact;
        return value === undefined || value === '' ? [] : [{ name, value }];
      })
    : [];
  const kept = [...facts.filter(({ name }) => !leaveOut.includes(name)), ...added];
  const place = ({ name }: Notification['facts'][number]): number => {
    const index = order.indexOf(name);
    return index < 0 ? order.length : index;
  };
  return kept.toSorted((a, b) => place(a) - place(b));
}

/** What is on the wall there at an instant. */
type Wall = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'timeZoneName', string>>;
type Clock = (at: number) => Wall;

/** Formatters are large, and a cluster has few zones. */
const clocks = new BoundedMap<string, Clock>(100);

function clockOf(timeZone: string): Clock | undefined {
  const known = clocks.get(timeZone);
  if (known) return known;
  // The runtime takes offsets (`+02:00`) as well, but they are no names, and know no summer.
  if (/^[+-]/.test(timeZone)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', timeZoneName: 'short' },
      ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
    });
    const clock: Clock = (at) => {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
      const part = (type: keyof Wall): string => parts.get(type) ?? '';
      const [year, month, day, hour, minute] = [
        part('year'),
        part('month').slice(0, 3),
        part('day'),
        part('hour'),
        part('minute'),
      ];
      return { year, month, day, hour, minute, timeZoneName: part('timeZoneName') };
    };
    clocks.set(timeZone, clock);
    return clock;
  } catch {
    return undefined;
  }
}

/** A sentence with the times in it as they are on the wall there. `now`: of the message, whose day goes without saying. */
function inZone(text: string, now: number, clock: Clock): string {
  return replaceTimes(text, now, ({ at }) => {
    const [then, here] = [clock(at), clock(now)];
    const isToday = then.day === here.day && then.month === here.month && then.year === here.year;
    const date = isToday ? '' : `${then.day} ${then.month} ${then.year === here.year ? '' : `${then.year} `}`;
    return `${date}${then.hour}:${then.minute} ${then.timeZoneName}`;
  });
}
