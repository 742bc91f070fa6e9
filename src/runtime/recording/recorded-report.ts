import { BoundedMap } from '../../model/bounded-map.ts';
import type { Incident } from '../../model/incident.ts';
import type { Notification } from '../../model/notification.ts';
import { describeRef } from '../../model/ref.ts';
import type { Unclear } from '../../model/why.ts';
import { reportPage } from '../../server/page/report.ts';
import type { ReportQuestion } from '../../server/report-view.ts';
import type { CoreView } from '../../turn/core-view.ts';
import { type ReplayedTurn, replayStream } from './replay.ts';
import { chosen, limitsOf, periodOf } from './report.ts';
import { Trail } from './trail.ts';

/** Incidents that a report can hold. */
const mostIncidents = 5_000;

/** The report of a recording, as one HTML page. Rejects when the file is no log, naming the line, and when the question names no object. */
export async function recordedReport(
  lines: AsyncIterable<string>,
  asked: ReportQuestion & { /** For people: `the recording outage.jsonl`. */ readonly source: string },
): Promise<string> {
  const memory = new Recollection();
  for await (const turn of replayStream(lines)) memory.take(turn);
  return memory.page(asked);
}

/** What failed is healthy: less and less of it is left to tell. */
const isEnding = ({ state }: Incident): boolean => state === 'Recovering' || state === 'Resolved';

type Seen = { readonly incident: Incident; readonly words: Notification };

/** What a replay brings, kept as it was at its fullest: of what is over a core keeps only what its return needs. */
class Recollection {
  readonly #trail = new Trail(mostIncidents);
  readonly #seen = new BoundedMap<string, Seen>(mostIncidents);
  #view: CoreView | undefined;
  #now = 0;

  take({ now, inputs, effects, view }: ReplayedTurn): void {
    this.#trail.take(inputs, effects);
    this.#view = view;
    this.#now = now;
    for (const incident of effects.save.incidents) this.#see(incident);
    // A log that was waited for.
    for (const { stream } of effects.save.replace) {
      const seen = this.#seen.get(stream);
      if (seen && !isEnding(seen.incident)) this.#see(seen.incident);
    }
  }

  #see(incident: Incident): void {
    const before = this.#seen.get(incident.id);
    if (before && isEnding(incident)) {
      const { words, incident: was } = before;
      this.#seen.set(incident.id, { words, incident: { ...incident, explanation: was.explanation } });
      return;
    }
    const words = this.#view?.words(incident, this.#now);
    if (words) this.#seen.set(incident.id, { incident, words });
  }

  page({ source, ...asked }: ReportQuestion & { readonly source: string }): string {
    const view = this.#view;
    if (!view) throw new Error('it holds no turn: nothing was recorded but its first line');
    const known = [...this.#seen.values()].map((seen) => ({ ...seen, trail: this.#trail.of(seen.incident.id) }));
    const incidents = chosen(known, asked, view);
    if ('unclear' in incidents) throw new Error(inWords(incidents));
    const { app, providers } = view.settings();
    const about = limitsOf(asked);
    return reportPage({
      clusterName: app.clusterName,
      source,
      incidents,
      ...periodOf(incidents, asked, this.#now),
      ...(about !== undefined && { about }),
      parent: (id) => this.#seen.get(id)?.incident,
      others: asked.object === undefined ? this.#trail.summaries() : [],
      providers: providers.map((provider) => ({ ...provider, pending: 0, ...view.ledger(provider.uid) })),
    });
  }
}

/** That it names nothing, or what it may name. */
const inWords = ({ unclear, candidates = [] }: Unclear): string =>
  [unclear, ...candidates.map(describeRef)].join('\n  ');
