import { describeRef, nameOf, type Ref, refOf } from '../../model/ref.ts';
import { objectOf } from '../../providers/kit/block.ts';
import { type Choice, type Contender, chooseActive } from '../active.ts';
import type { AlertConfig } from '../alert-config.ts';
import type { AlertProvider } from '../alert-provider.ts';
import { providerOf } from '../check-provider.ts';
import { configName, type Kind } from '../group.ts';
import type { MaintenanceWindow } from '../maintenance-window.ts';
import { providerSettings } from '../settings.ts';
import type { Silence } from '../silence.ts';
import { didYouMean } from '../suggest.ts';
import { validate } from '../validation.ts';
import { nameProblems } from './names.ts';
import { configRemarks, silenceRemarks, windowRemarks } from './others.ts';
import { blockRemarks, providerRemarks } from './provider.ts';
import { lintRules, type Remark } from './remark.ts';
import type { Manifest, SecretLookup, Surroundings } from './surroundings.ts';

/** One object with everything there is to say about it. */
export type Judged = {
  readonly manifest: Manifest;
  readonly ref: Ref;
  readonly remarks: readonly Remark[];
};

/** The verdict on all objects. `choice`: who is active on Community; absent when no AlertProvider of Tocsin's namespace is known. */
export type Verdict = { readonly judged: readonly Judged[]; readonly choice?: Choice };

/** What `lint` is given besides the objects. */
export type LintOptions = {
  readonly operatorNamespace: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly secrets: SecretLookup;
};

/** An object on its way through the rules. `readable`: the schema has taken it, so that its type can be trusted. */
type Draft = {
  readonly manifest: Manifest;
  readonly ref: Ref;
  readonly object: object;
  readonly readable: boolean;
  readonly remarks: Remark[];
};

/** Its shape may be relied on as far as the schema has taken it. */
const asProvider = ({ object }: Draft): AlertProvider => object as AlertProvider;

/**
 * Judges objects of the four kinds together: what the API server would refuse (schema, CEL), what the operator would (`Stalled`),
 * and what is hardly meant. Never throws, whatever the objects hold; no message holds the value of a secret field.
 */
export function lint(manifests: readonly Manifest[], options: LintOptions): Verdict {
  const drafts = manifests.map((manifest) => draftOf(manifest, options.operatorNamespace));
  const around: Surroundings = { ...options, providers: providersOf(drafts) };
  for (const draft of drafts)
    if (draft.readable) draft.remarks.push(...rulesOf[draft.manifest.kind](draft.object, around));
  markDuplicates(drafts);
  const choice = choose(drafts, options.operatorNamespace);
  return {
    judged: drafts.map(({ manifest, ref, remarks }) => ({
      manifest,
      ref,
      remarks: manifest.background ? [] : remarks,
    })),
    ...(choice && { choice }),
  };
}

/** The rules of a kind, for objects that its schema has taken: that is what makes these types true. */
const rulesOf: Readonly<Record<Kind, (object: object, around: Surroundings) => readonly Remark[]>> = {
  AlertProvider: (object, around) => providerRemarks(object as AlertProvider, around),
  Silence: (object, around) => silenceRemarks(object as Silence, around),
  MaintenanceWindow: (object, around) => windowRemarks(object as MaintenanceWindow, around),
  AlertConfig: (object, around) => configRemarks(object as AlertConfig, around),
};

/** The first judgement: by the object alone. */
function draftOf(manifest: Manifest, operatorNamespace: string): Draft {
  const value = objectOf(manifest.value) ?? {};
  const metadata = objectOf(value.metadata) ?? {};
  const text = (name: string, preset: string): string => (typeof metadata[name] === 'string' ? metadata[name] : preset);
  const [name, namespace] = [text('name', ''), text('namespace', operatorNamespace)];
  const problems = validate(manifest.kind, manifest.value, manifest.previous);
  const readable = !problems.some(({ rule }) => rule === 'schema');
  const remarks: Remark[] = problems.map(refusal);
  const full = { generation: 0, uid: '', creationTimestamp: '', ...metadata, name, namespace };
  const spec = objectOf(value.spec) ?? {};
  const object = { ...value, ...(manifest.kind === 'AlertProvider' && { spec }), metadata: full };
  const draft = { manifest, ref: refOf(manifest.kind, namespace, name), object, readable, remarks };
  // Of an unknown type the schema has said all there is to say.
  const block = providerOf(String(spec.type)) ? blockRemarks(asProvider(draft).spec) : [];
  const said = remarks.map(({ path }) => path);
  const covered = (path: string): boolean => said.some((other) => path === other || path.startsWith(`${other}.`));
  remarks.push(...[...nameProblems(metadata), ...block].filter(({ path }) => !covered(path)));
  return draft;
}

function refusal({ rule, path, message }: ReturnType<typeof validate>[number]): Remark {
  const about = path === '' || message.includes(path) ? message : `\`${path}\`: ${message}`;
  return { rule: 'InvalidSpec', path, message: rule === 'cel' ? about : message };
}

function isBroken({ remarks }: Draft): boolean {
  return remarks.some(({ rule }) => rule === 'InvalidSpec' || rule === 'InvalidDestination');
}

function providersOf(drafts: readonly Draft[]): Surroundings['providers'] {
  const providers = drafts.filter(({ manifest }) => manifest.kind === 'AlertProvider');
  return new Map(
    providers.map((draft) => {
      const { metadata, spec } = asProvider(draft);
      const { fallback, type } = spec;
      return [draft.ref, { metadata, spec: { type, ...(typeof fallback === 'string' && { fallback }) } }];
    }),
  );
}

/** The same object twice: kubectl would apply both, and the last one stays. */
function markDuplicates(drafts: readonly Draft[]): void {
  const first = new Map<Ref, Draft>();
  for (const draft of drafts) {
    const before = first.get(draft.ref);
    if (!before || nameOf(draft.ref) === '') first.set(draft.ref, draft);
    else {
      const message = `${describeRef(draft.ref)} is already in ${before.manifest.where}, and the last one applied would win: remove or rename one`;
      draft.remarks.push({ rule: 'Duplicate', path: 'metadata.name', message });
    }
  }
}

/** Who is active on Community; a wrong `app.communityProvider` becomes a remark on the AlertConfig. */
function choose(drafts: readonly Draft[], operatorNamespace: string): Choice | undefined {
  const contenders = drafts.flatMap((draft): Contender[] => {
    if (draft.manifest.kind !== 'AlertProvider') return [];
    const object = asProvider(draft);
    const definition = providerOf(String(object.spec.type));
    if (!definition) return [];
    const createdAt = Date.parse(object.metadata.creationTimestamp);
    const spec = draft.readable ? object.spec : { type: definition.type, suspend: object.spec.suspend === true };
    return [
      {
        settings: providerSettings({ ...object, spec }, definition),
        // What is not in the cluster yet is younger than what is.
        createdAt: Number.isNaN(createdAt) ? Number.MAX_SAFE_INTEGER : createdAt,
        invalid: isBroken(draft),
        secretsFound: true,
      },
    ];
  });
  const known = contenders.filter(({ settings }) => settings.namespace === operatorNamespace);
  if (known.length === 0) return undefined;
  const config = drafts.find(
    ({ ref, readable }) => readable && ref === refOf('AlertConfig', operatorNamespace, configName),
  );
  const named = config && (config.object as AlertConfig).spec?.app?.communityProvider;
  const choice = chooseActive(contenders, {
    edition: 'Community',
    operatorNamespace,
    ...(named !== undefined && { communityProvider: named }),
  });
  if (config && choice.problem) {
    const { reason: rule, message } = choice.problem;
    const names = known.map(({ settings }) => nameOf(settings.ref));
    const meant = rule === 'CommunityProviderNotFound' ? didYouMean(named ?? '', names) : '';
    config.remarks.push({ rule, path: 'spec.app.communityProvider', message: `${message}${meant}` });
  }
  return choice;
}

/** The level of a remark; under `strict`, warnings count as errors. */
export function levelOf({ rule }: Remark, strict: boolean): 'error' | 'warning' | 'note' {
  const { level } = lintRules[rule];
  return strict && level === 'warning' ? 'error' : level;
}
