/** The receivers that must hear of everything, and the one that hears what the pager cannot be told. */
export const receiverNames = { plain: 'plain', keyed: 'keyed', pager: 'pager', spare: 'spare' } as const;
