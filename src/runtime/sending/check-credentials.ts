import { blankOutcome } from '../../delivery/blank.ts';
import { failureOf, outcomeOfError } from '../../delivery/classify.ts';
import type { Clock } from '../../model/clock.ts';
import type { Outcome } from '../../model/delivery.ts';
import type { Secret } from '../../model/secret.ts';
import type { ProviderSettings, Settings } from '../../model/settings.ts';
import { joinConfig } from '../../providers/kit/config.ts';
import type { AnyProvider } from '../../providers/kit/define.ts';
import { sentSecrets, tlsOf } from '../../providers/kit/tls.ts';
import { providers } from '../../providers/registry.ts';
import { createOutbound } from './outbound.ts';
import { dispatched } from './provider-types.ts';

/** What a product said to credentials. `unsupported`: its type cannot test them without telling somebody something. */
export type Tested =
  | { readonly is: 'accepted' | 'unsupported' }
  /** `refused`: no retry mends it. `unclear`: no answer, or one that says nothing about the credentials. */
  | { readonly is: 'refused' | 'unclear'; readonly message: string };

/** Tests credentials under the same rules for addresses, time-outs and the proxy as deliveries. */
export type CredentialCheck = {
  /** Never rejects. `values`: the opened secret fields. */
  test(provider: ProviderSettings, values: ReadonlyMap<string, Secret>): Promise<Tested>;
  /** Ends all connections. */
  close(): Promise<void>;
};

/** Composes the way of deliveries to the network for `lint --check`. */
export function createCredentialCheck(options: {
  readonly clock: Clock;
  readonly version: string;
  readonly settings: Settings;
  readonly definitions?: readonly AnyProvider[];
}): CredentialCheck {
  const { clock, version, settings, definitions = providers } = options;
  const outbound = createOutbound({
    clock,
    version,
    namespace: settings.operatorNamespace,
    settings: () => settings,
  });
  return {
    async test(provider, values) {
      const definition = definitions.find(({ type }) => type === provider.type);
      const check = definition?.check;
      if (!definition || !check) return { is: 'unsupported' };
      try {
        const config = joinConfig(definition, provider.config, values);
        const type = dispatched(definition);
        const tls = tlsOf(values);
        const aws = outbound.aws(provider);
        const [send, mail] = [outbound.send(provider, type, tls), outbound.mail(provider, type, tls)];
        return tested(
          blankOutcome(await check({ config, send, mail, now: clock.now(), ...(aws && { aws }) }), sentSecrets(values)),
        );
      } catch (error) {
        return tested(blankOutcome(outcomeOfError(error), sentSecrets(values)));
      }
    },
    close: () => outbound.close(),
  };
}

function tested(outcome: Outcome): Tested {
  const failure = failureOf(outcome);
  if (!failure) return { is: 'accepted' };
  return { is: failure.class === 'permanent' ? 'refused' : 'unclear', message: failure.message };
}
