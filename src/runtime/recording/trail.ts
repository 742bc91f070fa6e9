import { BoundedMap } from '../../model/bounded-map.ts';
import type { Delivery, DeliveryReport } from '../../model/delivery.ts';
import type { Decision } from '../../model/incident.ts';
import type { Act } from '../../model/notification.ts';
import type { Effects, Input } from '../../model/turn.ts';
import type { IncidentTrail, TrailDelivery, TrailStep } from '../../server/report-view.ts';

/** Incidents and messages that are remembered at most, those that something happened to last; and of each so many steps and deliveries. */
const mostStreams = 1_000;
const mostSteps = 60;
const mostDeliveries = 60;

/** Messages that are about no single incident. */
const summaries: ReadonlySet<Act> = new Set<Act>(['startup', 'digest', 'overview', 'test']);

type Stream = {
  readonly steps: TrailStep[];
  /** By the id of the delivery, the oldest first. */
  readonly deliveries: Map<string, TrailDelivery>;
  forgotten: number;
};

const nothing: IncidentTrail = { steps: [], deliveries: [], forgotten: 0 };

/**
 * What was decided of incidents and what providers answered, as turns bring it: what a report tells beyond how everything stands. It
 * begins with this process, and is bounded.
 */
export class Trail {
  readonly #streams: BoundedMap<string, Stream>;

  constructor(most = mostStreams) {
    this.#streams = new BoundedMap(most);
  }

  /** One turn: what had been answered, then what was decided. */
  take(inputs: readonly Input[], { save }: Effects): void {
    for (const input of inputs) if (input.kind === 'outcome') this.#answer(input.report);
    for (const decision of save.audit) this.#step(decision);
    for (const delivery of save.enqueue) this.#put(delivery.stream, delivery.id, waiting(delivery));
  }

  /** Of an incident, by its id. */
  of(id: string): IncidentTrail {
    const stream = this.#streams.get(id);
    return stream ? { ...stream, deliveries: [...stream.deliveries.values()] } : nothing;
  }

  /** Messages about no single incident, the oldest first. */
  summaries(): readonly TrailDelivery[] {
    return [...this.#streams.values()]
      .flatMap(({ deliveries }) => {
        const list = [...deliveries.values()];
        return list.some(({ act }) => summaries.has(act)) ? list : [];
      })
      .sort((a, b) => a.createdAt - b.createdAt);
  }

  #stream(id: string): Stream {
    const stream = this.#streams.get(id) ?? { steps: [], deliveries: new Map(), forgotten: 0 };
    this.#streams.set(id, stream);
    return stream;
  }

  #step({ incident, time, action, disposition, audience, reasonCode, by, severity }: Decision): void {
    const stream = this.#stream(incident);
    const at = Date.parse(time);
    stream.steps.push({ at, action, disposition, audience, reasonCode, severity, ...(by !== undefined && { by }) });
    if (stream.steps.length <= mostSteps) return;
    stream.steps.shift();
    stream.forgotten += 1;
  }

  #put(id: string, delivery: string, row: TrailDelivery): void {
    const stream = this.#stream(id);
    stream.deliveries.set(delivery, row);
    if (stream.deliveries.size <= mostDeliveries) return;
    for (const [oldest] of stream.deliveries) {
      stream.deliveries.delete(oldest);
      stream.forgotten += 1;
      break;
    }
  }

  #answer({ delivery, stream, provider, act, ended, at, attempts, failure }: DeliveryReport): void {
    const known = this.#streams.get(stream)?.deliveries.get(delivery);
    const { createdAt = at } = known ?? {};
    const failed = failure ?? known?.failure;
    this.#put(stream, delivery, {
      provider,
      act,
      createdAt,
      ended,
      at,
      attempts,
      ...(failed && { failure: failed }),
    });
  }
}

function waiting({ provider, act, createdAt }: Delivery): TrailDelivery {
  return { provider, act, createdAt, ended: 'waiting', attempts: 0 };
}
