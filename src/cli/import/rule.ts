/** What becomes of one place of another tool's configuration. */
export type Target =
  /** A field of an AlertProvider; `secret`: a credential, which is named and never copied. */
  | {
      readonly is: 'field';
      readonly type: string;
      readonly field: string;
      readonly secret: boolean;
      /** It is one item of the field. */
      readonly list: boolean;
      /** It stands beside several and is meant for each that does not say it itself. */
      readonly shared: boolean;
      readonly read: (value: unknown) => unknown;
      /** What is in the same value besides. */
      readonly also?: { readonly field: string; readonly read: (value: unknown) => unknown };
    }
  /**
   * A setting of the AlertConfig; `*` at its end stands for the last step of the place. `list`: one item more. `read`: the value, or `undefined`
   * where it says nothing beyond the preset; `step`: the last step of the place.
   */
  | {
      readonly is: 'setting';
      readonly path: string;
      readonly list: boolean;
      readonly read: (value: unknown, step: string) => unknown;
    }
  /** It names the AlertProvider. */
  | { readonly is: 'name' }
  /** Nothing: a clause that says why, or what to do. */
  | { readonly is: 'none'; readonly why: string };

/**
 * A place, as a path with `*` for any one step and `**` for all below; `/` in the place of a dot ends the part that makes one AlertProvider, and
 * `\\` before a dot makes it one of the step. What becomes of it may depend on the value.
 */
export type Rule = readonly [path: string, target: Target | ((value: unknown) => Target)];

/** How another tool's configuration is read: the first rule that fits a place has its say. */
export type Tool = { readonly title: string; readonly rules: readonly Rule[] };

const same = (value: unknown): unknown => value;

/** A field of an AlertProvider. */
export const field = (type: string, name: string, read = same): Target => ({
  ...{ is: 'field', type, field: name, secret: false, list: false, shared: false, read },
});

/** An item of a field of an AlertProvider. */
export const entry = (type: string, name: string): Target => ({
  ...{ is: 'field', type, field: name, secret: false, list: true, shared: false, read: same },
});

/** A credential of an AlertProvider. */
export const secret = (type: string, name: string): Target => ({
  ...{ is: 'field', type, field: name, secret: true, list: false, shared: false, read: same },
});

/** The same of all AlertProviders of the type below the place. */
export const shared = (target: Target): Target => ({ ...target, shared: true }) as Target;

/** A setting of the AlertConfig. */
export const setting = (path: string, read: (value: unknown, step: string) => unknown = same): Target => ({
  is: 'setting',
  path,
  list: false,
  read,
});

/** An item of a setting of the AlertConfig. */
export const item = (path: string, read: (value: unknown, step: string) => unknown = same): Target => ({
  is: 'setting',
  path,
  list: true,
  read,
});

/** Nothing. */
export const none = (why: string): Target => ({ is: 'none', why });

/** Nothing, of several places, for one reason. */
export const noneOf = (paths: readonly string[], why: string): readonly Rule[] =>
  paths.map((path) => [path, none(why)]);

/** The name of an AlertProvider. */
export const name: Target = { is: 'name' };
