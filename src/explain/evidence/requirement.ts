import type { ChangeField } from '../../model/change-field.ts';
import type { Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { Ref } from '../../model/ref.ts';
import type { World } from '../../world/view/world.ts';
import type { Edit } from './edits.ts';

/** A fact of a finding as it must be, by what it reads as text; a fact that is not given reads as nothing. */
export type Stated = {
  /** The reason of which it is asked; findings with others have no such fact. Absent: of all. */
  readonly of?: Reason;
  /** It is a fact of what is found of the cause, and not of what fails. */
  readonly isOfCause?: true;
  readonly fact: string;
  readonly as: RegExp;
};

/** What a row can ask of a pair besides reasons, signs and time: each a question of its own, with what the row asks of it. */
export type Requires = Partial<{
  /** The findings state it themselves. */
  readonly states: readonly Stated[];
  /** None of the Pods of the workload is ready, by what these say themselves; of agents that fail only the one there is asked. */
  readonly down: true;
  /** How many replicas the edit left: none, or more than there were. */
  readonly scaled: 'to zero' | 'up';
  /** A Service that the Pod depends on lost its last endpoint, and the cause is what stands behind it. */
  readonly lacked: true;
  /** Who is behind the Service: one workload and nothing else, or others than who fails, whose members may not find each other behind their own. */
  readonly behind: 'one' | 'others';
  /** How others fare who use it: most fail, on several Nodes; or none has begun with it since. */
  readonly users: 'most fail' | 'none begins';
  /** Whether the Pods that do not serve, which did until the cause began, are older than it, or were all made since. */
  readonly pods: 'older' | 'newer';
  /** The fields of the workload that have not been edited since: it is made as it was before. */
  readonly untouched: ReadonlySet<ChangeField>;
  /** What fails was made from the newest template of its workload: the Pod; or all Pods of the workload, none of which has ever been ready. */
  readonly newest: true;
  /** The program lacks what the edit took away: only such edits are asked. */
  readonly tookAway: true;
  /**
   * It fails on the Node, or in the zone, and nowhere else: siblings from the same template serve elsewhere, of what waits they begin there, or have
   * their images. `members`: those of a set, which differ by more than the place; `one`: where a single workload tells; `nowhere else`: no sibling is
   * known to wait elsewhere.
   */
  readonly alone: 'copies' | 'members' | 'one' | 'nowhere else';
  /** A monitor says that something is wrong with the Node. */
  readonly ails: true;
  /**
   * How what fails depends on the agent of its Node: it asks for it, by the words of its name, at a port that it opens on the machine, or by waiting in its
   * start for it; or it serves there what the program needs, or brings the volumes that it mounts; or it, or who directs the proxy beside it, may lead its
   * traffic otherwise.
   */
  readonly agent: 'asked for' | 'serves' | 'directs';
  /** A sibling that was made without a memory limit serves: the one that was given is what differs. */
  readonly servesUnlimited: true;
  /** Pods of it wait for a scheduler that leads, or it for a controller manager: nothing has been done about it since. */
  readonly untended: true;
  /** Whose traffic a network policy decides about since the edit: its own, or that of whom it calls. */
  readonly isolated: 'itself' | 'called';
  /** The server serves, and was started anew shortly before. */
  readonly startedAnew: true;
}>;

/** What may be the cause: an object, since when (epoch milliseconds), and what was edited of it. */
export type Suspect = {
  readonly ref: Ref;
  readonly since: number;
  readonly change?: Edit;
  readonly finding?: Finding;
  readonly endedAt?: number;
};

/** Whether what a row asks holds of an effect and its suspect. What is not known does not hold: unknown data never decides. */
export type Requirement<Asked = true> = (effect: Finding, world: World, suspect: Suspect, asked: Asked) => boolean;

/** Some of the requirements. */
export type Requirements<Name extends keyof Requires> = {
  readonly [Each in Name]: Requirement<NonNullable<Requires[Each]>>;
};
