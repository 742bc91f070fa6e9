/** What the user asked of replay. */
export type ReplayArguments = { readonly file: string; readonly output: 'json' | 'text' };
