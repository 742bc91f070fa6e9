/** How the messages of one AlertProvider are to read. */
export type OwnWords = {
  /** What titles begin with, behind the state. */
  readonly prefix?: string;
  readonly facts?: {
    /** Facts of incidents besides: the value of a label of the object, or a text. */
    readonly add?: readonly { readonly name: string; readonly label?: string; readonly value?: string }[];
    /** Names of facts that are left out. */
    readonly leaveOut?: readonly string[];
    /** Names of facts that stand first, in this order. */
    readonly order?: readonly string[];
  };
  /** Times in sentences are of this zone, by its name in the IANA database. */
  readonly timeZone?: string;
};
