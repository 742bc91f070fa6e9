import { outcomeOfError } from '../../delivery/classify.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { Reference } from '../../model/delivery.ts';
import type { Press, PressedRequest } from '../../model/press.ts';
import type { SecretSource } from '../../model/secret-source.ts';
import type { ProviderSettings } from '../../model/settings.ts';
import { doDeed } from '../../operator/deeds.ts';
import { joinConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import { tlsOf } from '../../providers/kit/tls.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Outbound } from '../sending/outbound.ts';

/** What acting works with. */
export type ActingOptions = {
  /** Writes only while the lock is held. */
  readonly client: Pick<ApiClient, 'json'>;
  /** The operator's. */
  readonly namespace: string;
  readonly log: Logger;
  readonly definitions: readonly AnyProvider[];
  readonly provider: (ref: PressedRequest['provider']) => ProviderSettings | undefined;
  readonly secrets: SecretSource;
  readonly send: Outbound['send'];
  /** What it takes to answer a press; `undefined`: it cannot be. */
  readonly reply: (press: Press) => Reference | undefined;
};

/** Does what buttons ask for, and tells who pressed what became of it. Each act and each refusal is a line of the log. */
export class Acting {
  readonly #options: ActingOptions;

  constructor(options: ActingOptions) {
    this.#options = options;
  }

  /** Does one. Never rejects. */
  async act(request: PressedRequest): Promise<void> {
    const { log, client, namespace } = this.#options;
    const { provider, press, isRefused, deed } = request;
    const { id: account, name } = press.user;
    const about = { provider, account, name, ...(deed && { incident: deed.incident, does: deed.is }) };
    if (isRefused) log.warn(about, 'a button was pressed by somebody who may not: nothing was done');
    const failure = deed && (await doDeed(deed, { client, namespace }));
    if (failure !== undefined) log.warn({ ...about, why: failure }, 'what a button asked for could not be done');
    else if (deed) log.info(about, 'a button was pressed');
    await this.#answer(failure === undefined ? request : { ...request, says: failure, isRefused: true });
  }

  /** That it cannot be answered changes nothing about what was done. */
  async #answer({ provider: ref, press, says, isRefused }: PressedRequest): Promise<void> {
    const { provider: find, definitions, secrets, send, log } = this.#options;
    const reply = this.#options.reply(press);
    const provider = find(ref);
    const definition = definitions.find(({ type }) => type === provider?.type);
    if (reply === undefined || provider === undefined || definition?.listening === undefined) return;
    try {
      const opened = await secrets.open(ref, false);
      if ('missing' in opened) return;
      const config = joinConfig(definition, provider.config, opened.values);
      const ways = { send: send(provider, definition, tlsOf(opened.values)) };
      await definition.listening.answer({ config, ...ways, reply, says, ...(isRefused && { isRefused }) });
    } catch (error) {
      const outcome = outcomeOfError(error);
      log.debug(
        { provider: ref, why: 'reason' in outcome ? outcome.reason : outcome.is },
        'a press could not be answered',
      );
    }
  }
}
