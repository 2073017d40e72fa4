import type { userinfoDefinition } from '../definitions/desk.ts';
import type { Given } from '../shared/command.ts';
import type { Invocation } from '../shared/invocation.ts';
import { deskCommand } from './desk.ts';
import { type AtHand, compileAsked, type Inquiry, parsePairs, requireParties } from './inquiry.ts';
import { readCredential, secretIn } from './values.ts';

type Flags = Given<typeof userinfoDefinition>;

/** What brings an access token: a request that the subscriber approves. */
const approved = (scope: string) => [
  { as: 'request', authorize: { claims: { scope } }, expect: 'accepted', control: true },
  { as: 'approval', trigger: 'approve' },
  { as: 'result', await: 'callback', expect: 'completed', control: true },
];

async function chooseUserinfo(flags: Flags, { target, dry, stdin }: AtHand): Promise<Inquiry> {
  const { client, subscriber, scope } = flags;
  requireParties(flags, target);
  const isGiven = flags.token !== undefined;
  const placeholder = dry ? 'ACCESS_TOKEN' : '{{ result.body.access_token }}';
  const token = isGiven ? await readCredential('--token', flags.token, stdin) : placeholder;
  const headers = { authorization: `Bearer ${token}`, ...parsePairs('--header', flags.header) };
  const isUsual = !isGiven && flags.header.length === 0;
  const steps = [
    ...(isGiven || dry ? [] : approved(scope)),
    {
      as: 'profile',
      http: { to: 'userinfo', headers },
      // A profile that is no JSON object, such as a signed one, is judged by nothing here.
      control: true,
      expect: { outcome: 'accepted', body: { type: 'object', required: ['sub'] } },
    },
  ];
  return {
    case: compileAsked({ id: 'userinfo', title: 'The profile of a subscriber', client, subscriber, steps }),
    secrets: secretIn('token', isGiven ? token : undefined),
    step: 'profile',
    mayBeRefused: !isUsual,
    ...(dry && !isGiven ? { open: 'ACCESS_TOKEN stands for the access token that an approved request brings' } : {}),
  };
}

/** `carrierspec userinfo`: the profile (§2.11) that an access token opens, judged. Gives the exit code. */
export const userinfoCommand = (flags: Flags, invocation: Invocation): Promise<number> =>
  deskCommand(flags, invocation, chooseUserinfo);
