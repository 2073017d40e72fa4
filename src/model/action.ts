/** What can be made to happen at the carrier or on the subscriber's phone, by the name a suite uses. */
export interface Action {
  readonly name: string;
  readonly says: string;
  /** Changes the subscriber or the registration, not just one request: the lane is taken alone. */
  readonly mutates: 'subscriber' | 'client' | undefined;
  /** The carrier may push events about it, and remembers them for 60 minutes (§6). */
  readonly raisesEvents?: boolean;
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
    raisesEvents: true,
  }),
  define('give-consent', 'the subscriber consents again', { mutates: 'subscriber' }),
  define('set-flag', 'a flag of the SP registration is switched', { mutates: 'client', undo: 'reset-flags' }),
  define('reset-flags', 'the flags of the SP registration are as the target file says', { mutates: 'client' }),
  define('remove-key', 'a public key is removed from the SP registration', { mutates: 'client', undo: 'restore-keys' }),
  define('restore-keys', 'the public keys of the SP registration are as before', { mutates: 'client' }),
  define('move-sim', 'the SIM is put into another device', { mutates: 'subscriber', raisesEvents: true }),
  define('swap-sim', 'the subscriber gets another SIM card', { mutates: 'subscriber', raisesEvents: true }),
  define('factory-reset', 'the device is reset to its factory state', { mutates: 'subscriber', raisesEvents: true }),
  define('change-number', 'the phone number changes, the SIM stays', { mutates: 'subscriber', raisesEvents: true }),
  define('edit-profile', 'the subscriber edits an attribute of the profile', {
    mutates: 'subscriber',
    undo: 'restore-profile',
  }),
  define('verify-email', 'the subscriber verifies the e-mail address', {
    mutates: 'subscriber',
    undo: 'restore-profile',
  }),
  define('restore-profile', 'the profile of the subscriber is as before', { mutates: 'subscriber' }),
  define('rotate-keys', 'the carrier signs with a new key and keeps the old one published'),
  define('issue-code', 'the subscriber signs in in a browser, and the SP gets an authorization code'),
  define('issue-login-hint-token', 'discovery_ui gives the SP a login_hint_token'),
  define('look', 'somebody looks at the phone'),
];

export const actionNames: ReadonlySet<string> = new Set(actions.map(({ name }) => name));

export function findAction(name: string): Action | undefined {
  return actions.find((action) => action.name === name);
}
