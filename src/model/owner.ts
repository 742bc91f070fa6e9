/**
 * The names under which objects say whose they are, as labels or annotations, the first that is there first. Ours goes before what others
 * write; of those, what names an owner before what names a team.
 */
export const defaultOwnerKeys: readonly string[] = [
  'tocsin.dev/owner',
  'backstage.io/owner',
  'app.kubernetes.io/owner',
  'owner',
  'app.kubernetes.io/team',
  'team',
];

/** The longest name of an owner, in UTF-16 units: a label holds 63, an annotation may hold an address. */
export const maxOwnerLength = 100;

/** The last part of the name of an annotation that may say whose an object is. All others are dropped where objects are read. */
const owningWord = /(?:^|[/.-])(?:owner|owned-by|team|squad)$/;

/** Whether an annotation is kept since it may name an owner. */
export function mayNameOwner(annotation: string): boolean {
  return owningWord.test(annotation);
}

/** `group:default/payments` of Backstage is `payments`: people and tables write the short name. */
const entity = /^(?:group|user):(?:[^/:]+\/)?(?=[^/:]+$)/i;

/** The name of an owner as it is shown and looked up; `undefined` for what is none. */
export function ownerIn(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const name = value.trim().replace(entity, '');
  return name === '' || name.length > maxOwnerLength || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name) ? undefined : name;
}
