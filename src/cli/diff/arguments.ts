/** What the user asked of `tocsin diff`. */
export type DiffArguments = {
  readonly recording: string;
  /** Files and folders with the settings that are to hold. */
  readonly settings: readonly string[];
  /** Objects that are to be gone: `Silence/tocsin/quiet`. */
  readonly without: readonly string[];
  /** Namespace of objects that name none. */
  readonly namespace: string;
  readonly output: 'text' | 'json';
};
