import type { Action } from '../../model/action.ts';

type ActionDetails = Partial<Action> & Pick<Action, 'prompt'>;

const defineAction = (name: string, description: string, particulars: ActionDetails): Action => ({
  mutates: undefined,
  ...particulars,
  name,
  description,
});

/** Flags that `set-flag` switches: those of §2.12 that this interface uses, then the two parts of a subscription to events. */
const flagNames: readonly string[] = [
  'server_initiated',
  'silent_authorization_enabled',
  'enum_enabled',
  'usertraits_enabled',
  'ial_enabled',
  'events',
  'event_subscription (the SP has subscribed to event alerts)',
  'event_endpoint (the SP has registered its event_uri)',
];

/** Actions at a carrier of this interface, which remembers events for 60 minutes (§6). */
export const actions: readonly Action[] = [
  defineAction('approve', 'the subscriber approves the request on the phone', {
    gets: { scopes: 'list of the scopes that stay ticked; absent: all' },
    prompt: 'Approve the request on the phone',
    ofRequest: true,
    establishes: 'completed',
    named: /approv/i,
    mark: { word: 'Approve', done: 'I approved it', tone: 'good' },
    spends: { unconsented: 'remove-consent' },
  }),
  defineAction('deny', 'the subscriber denies the request on the phone', {
    prompt: 'Deny the request on the phone',
    ofRequest: true,
    establishes: 'denied',
    named: /\bden[iy]/i,
    mark: { word: 'Deny', done: 'I denied it', tone: 'bad' },
  }),
  defineAction('ignore', 'the subscriber leaves the request alone', {
    prompt: 'Leave the request on the phone alone: press nothing',
    ofRequest: true,
    mark: { word: 'Press nothing', done: 'I pressed nothing', tone: 'open' },
  }),
  defineAction('open-app', 'the subscriber opens the phone app', {
    prompt: 'Open the phone app',
    mutates: 'subscriber',
  }),
  defineAction('remove-consent', 'the subscriber removes consent for the SP', {
    gets: { scopes: 'list of the scopes whose consent is removed; absent: all' },
    prompt: 'Remove the consent for the SP on the phone',
    mutates: 'subscriber',
    undo: 'give-consent',
    raisesEvents: true,
  }),
  defineAction('give-consent', 'the subscriber consents again', {
    prompt: 'Give the SP consent again on the phone',
    mutates: 'subscriber',
    shows: 'consent',
  }),
  defineAction('unlink', 'the subscriber unlinks the phone app from the app or site of the SP', {
    prompt: 'Unlink the phone app from the app or site of the SP',
    mutates: 'subscriber',
    undo: 'link',
  }),
  defineAction('link', 'the subscriber links the phone app to the app or site of the SP', {
    prompt: 'Link the phone app to the app or site of the SP again',
    mutates: 'subscriber',
    shows: 'consent',
  }),
  defineAction('set-flag', 'a flag of the SP registration is switched', {
    gets: {
      flag: `name of the flag: ${flagNames.join(', ')}`,
      on: 'true or false',
    },
    prompt: 'Switch a flag of the SP registration',
    mutates: 'client',
    undo: 'reset-flags',
  }),
  defineAction('reset-flags', 'the flags of the SP registration are as the target file says', {
    prompt: 'Set the flags of the SP registration as the target file has them',
    mutates: 'client',
  }),
  defineAction('remove-key', 'a public key is removed from the SP registration', {
    gets: { kid: 'kid of the key' },
    prompt: 'Remove a public key from the SP registration',
    mutates: 'client',
    undo: 'restore-keys',
  }),
  defineAction('restore-keys', 'the public keys of the SP registration are as before', {
    prompt: 'Put the public keys of the SP registration back',
    mutates: 'client',
  }),
  defineAction('move-sim', 'the SIM is put into another device', {
    prompt: 'Put the SIM of the phone into another device',
    mutates: 'subscriber',
    raisesEvents: true,
  }),
  defineAction('swap-sim', 'the subscriber gets another SIM card', {
    prompt: 'Give the subscriber another SIM card',
    mutates: 'subscriber',
    raisesEvents: true,
  }),
  defineAction('factory-reset', 'the device is reset to its factory state', {
    prompt: 'Reset the phone to its factory state',
    mutates: 'subscriber',
    raisesEvents: true,
  }),
  defineAction('change-number', 'the phone number changes, the SIM stays', {
    gets: { phone: 'the new number; absent: any free number, which the driver chooses' },
    prompt: 'Change the phone number and keep the SIM',
    mutates: 'subscriber',
    raisesEvents: true,
    undo: 'change-number',
    undoWith: ['phone'],
  }),
  defineAction('edit-profile', 'the subscriber edits an attribute of the profile', {
    gets: { attribute: 'the attribute to edit, as user info names it: name, email, birthdate, address' },
    prompt: 'Edit an attribute of the profile',
    mutates: 'subscriber',
    undo: 'restore-profile',
  }),
  defineAction('verify-email', 'the subscriber verifies the e-mail address', {
    prompt: 'Verify the e-mail address of the subscriber',
    mutates: 'subscriber',
    undo: 'restore-profile',
  }),
  defineAction('bounce-email', 'mail to the e-mail address of the subscriber bounces', {
    prompt: 'Let mail to the e-mail address of the subscriber bounce',
    mutates: 'subscriber',
    undo: 'restore-profile',
  }),
  defineAction('scan-document', 'an identity document of the subscriber is scanned again', {
    prompt: 'Scan an identity document of the subscriber again',
    mutates: 'subscriber',
    undo: 'restore-profile',
  }),
  defineAction('restore-profile', 'the profile of the subscriber is as before', {
    prompt: 'Put the profile of the subscriber back as it was',
    mutates: 'subscriber',
  }),
  defineAction('rotate-keys', 'the carrier signs with a new key and keeps the old one published', {
    prompt: 'Let the carrier sign with a new key and keep the old one published',
    mutates: 'keys',
  }),
  defineAction('issue-code', 'the subscriber signs in in a browser, and the SP gets an authorization code', {
    gets: { redirect_uri: 'URI to sign in with', scope: 'scopes to sign in with, separated by blanks' },
    prompt: 'Sign in in a browser, and type the authorization code after the word done',
    gives: 'code',
  }),
  defineAction('issue-login-hint-token', 'discovery_ui gives the SP a login_hint_token', {
    gets: { ttl: 'life of the token in seconds; absent: as usual' },
    prompt: 'Let discovery_ui give the SP a login_hint_token, and type it after the word done',
    gives: 'login_hint_token',
  }),
  defineAction('look', 'the operator looks at the phone', { prompt: 'Look at the phone', ofRequest: true }),
];

export const raisingActions: readonly string[] = actions
  .filter(({ raisesEvents }) => raisesEvents === true)
  .map(({ name }) => name);
