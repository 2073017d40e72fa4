/** What can be made to happen at the carrier or on the subscriber's phone, by the name a suite uses. */
export interface Action {
  readonly name: string;
  readonly says: string;
  /** Changes the subscriber or the registration, not just one request: the lane is taken alone. */
  readonly mutates: 'subscriber' | 'client' | undefined;
  /** The action that takes it back when the case ends. */
  readonly undo?: string;
}

const define = (name: string, says: string, rest: Partial<Action> = {}): Action => ({
  name,
  says,
  mutates: undefined,
  ...rest,
});

export const actions: readonly Action[] = [
  define('approve', 'the subscriber approves the request on the phone'),
  define('deny', 'the subscriber denies the request on the phone'),
  define('ignore', 'the subscriber leaves the request alone'),
  define('open-app', 'the subscriber opens the phone app', { mutates: 'subscriber' }),
  define('remove-consent', 'the subscriber removes consent for the SP', {
    mutates: 'subscriber',
    undo: 'give-consent',
  }),
  define('give-consent', 'the subscriber consents again', { mutates: 'subscriber' }),
  define('set-flag', 'a flag of the SP registration is switched', { mutates: 'client', undo: 'reset-flags' }),
  define('reset-flags', 'the flags of the SP registration are as the target file says', { mutates: 'client' }),
  define('remove-key', 'a public key is removed from the SP registration', { mutates: 'client', undo: 'restore-keys' }),
  define('restore-keys', 'the public keys of the SP registration are as before', { mutates: 'client' }),
  define('look', 'somebody looks at the phone'),
];

export const actionNames: ReadonlySet<string> = new Set(actions.map(({ name }) => name));

export function findAction(name: string): Action | undefined {
  return actions.find((action) => action.name === name);
}
