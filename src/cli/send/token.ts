import { type Json, plainText } from '../../lib/json.ts';
import { literal } from '../../suite/compile/suite.ts';
import { usageError } from '../shared/inputs.ts';
import { signedByAssertion, withoutDropped } from './assertion.ts';
import {
  type AtHand,
  compileAsked,
  given,
  type Inquiry,
  parseKey,
  parsePairs,
  requireParties,
  type SendFlags,
} from './inquiry.ts';
import { readCredential, secretIn } from './values.ts';

/** What is exchanged for tokens: a code, a refresh token, or the code that the driver of the target gets. */
async function grantOf(flags: SendFlags, { dry, stdin }: AtHand): Promise<Record<string, Json>> {
  const { code, refreshToken } = flags;
  if (code !== undefined && refreshToken !== undefined)
    throw usageError('--code and --refresh-token: one or the other');
  if (refreshToken !== undefined) {
    const token = await readCredential('--refresh-token', refreshToken, stdin);
    return { grant_type: 'refresh_token', refresh_token: token };
  }
  const issued = dry ? 'AUTHORIZATION_CODE' : '{{ issued.body.code }}';
  return {
    grant_type: 'authorization_code',
    code: code === undefined ? issued : literal(code),
    redirect_uri: '{{ client.redirect_uri }}',
  };
}

/** What a token call gives at least (TOK-001). */
const tokens = {
  type: 'object',
  required: ['access_token'],
  properties: { access_token: { type: 'string', minLength: 1 } },
};

/** A token call that the SP signs (§4.3, §5.5). */
export async function chooseTokenCall(flags: SendFlags, atHand: AtHand): Promise<Inquiry> {
  const { client, subscriber, key, param, drop, httpHeader } = flags;
  requireParties(flags, atHand.target);
  const isGiven = (flags.code ?? flags.refreshToken) !== undefined;
  const usual = { ...(await grantOf(flags, atHand)), ...signedByAssertion };
  const changed = parsePairs('--param', param);
  const isUsual = [param, drop, httpHeader].every((list) => list.length === 0) && key === undefined && !isGiven;
  const issue = { action: 'issue-code', with: { scope: 'openid', redirect_uri: '{{ client.redirect_uri }}' } };
  const steps = [
    ...(isGiven || atHand.dry ? [] : [{ as: 'issued', trigger: issue }]),
    {
      as: 'assertion',
      sign: { base: 'client-assertion', ...given({ key: key === undefined ? undefined : parseKey(key) }) },
    },
    {
      as: 'call',
      http: {
        to: 'token',
        form: withoutDropped({ ...usual, ...changed }, drop),
        ...given({ headers: parsePairs('--http-header', httpHeader) }),
      },
      // A success gives tokens; a refusal may be what the flags are after.
      ...(isUsual ? {} : { control: true }),
      expect: { outcome: 'accepted', body: tokens, ...(isUsual ? { rule: 'TOK-001' } : {}) },
    },
  ];
  return {
    case: compileAsked({ id: 'token', title: 'A token call', client, subscriber, steps }),
    secrets: [
      ...secretIn('code', flags.code),
      ...secretIn('refresh_token', isGiven ? plainText(usual['refresh_token']) : undefined),
    ],
    step: 'call',
    mayBeRefused: !isUsual,
    ...(atHand.dry && !isGiven ? { open: 'AUTHORIZATION_CODE stands for the code that the driver issues' } : {}),
  };
}
