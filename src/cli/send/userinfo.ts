import { type AtHand, compileAsked, type Inquiry, parsePairs, requireParties, type SendFlags } from './inquiry.ts';
import { readCredential, secretIn } from './values.ts';

/** What brings an access token: a request that the subscriber approves. */
const approved = (scope: string) => [
  { as: 'request', authorize: { claims: { scope } }, expect: 'accepted', control: true },
  { as: 'approval', trigger: 'approve' },
  { as: 'result', await: 'callback', expect: 'completed', control: true },
];

/** The profile (§2.11) that an access token opens. */
export async function chooseUserinfo(flags: SendFlags, { target, dry, stdin }: AtHand): Promise<Inquiry> {
  const { client, subscriber, scope = 'openid name', httpHeader } = flags;
  requireParties(flags, target);
  const isGiven = flags.token !== undefined;
  const placeholder = dry ? 'ACCESS_TOKEN' : '{{ result.body.access_token }}';
  const token = isGiven ? await readCredential('--token', flags.token, stdin) : placeholder;
  const headers = { authorization: `Bearer ${token}`, ...parsePairs('--http-header', httpHeader) };
  const isUsual = !isGiven && httpHeader.length === 0;
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
