import type { Taken } from './receiver.ts';

/** What the receiver of one cluster has taken. */
export type Ear = { readonly name: string; readonly taken: readonly Taken[] };

/** What was done, and what everybody heard. Instants are epoch milliseconds. */
export type Story = {
  readonly hub: Ear;
  readonly members: readonly Ear[];
  /** Members whose process was killed in the middle of their first message: on Community the next one sends a summary of what it finds. */
  readonly interrupted: ReadonlySet<string>;
  /** The registry that the hub had told when it was killed, and the one whose message it was sending. */
  readonly registries: readonly [told: string, sending: string];
  readonly hubKilledAt: number;
  readonly hubStartedAt: number;
};

const openings = (taken: readonly Taken[], root: string): readonly Taken[] =>
  taken.filter(({ type, roots }) => roots.includes(root) && /opened|plain/.test(type));
const ends = (taken: readonly Taken[], root: string): readonly Taken[] =>
  taken.filter(({ type, roots }) => roots.includes(root) && /resolved/.test(type));

/** What was lost, and what was told twice without a reason; one line each. */
export function faultsOf(story: Story): readonly string[] {
  return [...story.members.flatMap((member) => faultsOfMember(member, story)), ...faultsOfHub(story)];
}

function faultsOfMember({ name, taken }: Ear, { interrupted, registries, hubKilledAt }: Story): readonly string[] {
  const early = taken.filter(({ at }) => at < hubKilledAt).map(({ title }) => `${name} spoke beside the hub: ${title}`);
  const own = registries.flatMap((root) => {
    const [begun, over] = [openings(taken, root).length, ends(taken, root).length];
    const isSummary = interrupted.has(name) && openings(taken, root).some(({ type }) => /plain/.test(type));
    return [
      ...(begun === 0 ? [`${name} never told ${root}`] : []),
      ...(begun > 1 ? [`${name} told ${root} ${begun} times`] : []),
      // What a summary of the start lists is not ended one by one.
      ...(over === 1 || (isSummary && over === 0) ? [] : [`${name} told the end of ${root} ${over} times`]),
    ];
  });
  return [...early, ...own];
}

function faultsOfHub({ hub: { taken }, registries: [told, sending], hubStartedAt }: Story): readonly string[] {
  const lives = [
    {
      life: 'in its first life',
      heard: taken.filter(({ at }) => at < hubStartedAt),
      expected: { [told]: 1, [sending]: 0 },
    },
    {
      life: 'once it was back',
      heard: taken.filter(({ at }) => at >= hubStartedAt),
      expected: { [told]: 1, [sending]: 1 },
    },
  ];
  return [
    ...lives.flatMap(({ life, heard, expected }) =>
      Object.entries(expected).flatMap(([root, count]) => {
        const begun = openings(heard, root).length;
        return begun === count ? [] : [`${life} the hub told ${root} ${begun} times, not ${count}`];
      }),
    ),
    ...[told, sending].flatMap((root) => {
      const over = ends(taken, root).length;
      return over === 1 ? [] : [`the hub told the end of ${root} ${over} times`];
    }),
  ];
}
