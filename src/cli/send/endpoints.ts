import { type Json, renderPlain } from '../../lib/json.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import type { sendDefinition } from '../definitions/desk.ts';
import { usageError } from '../shared/inputs.ts';
import { chooseEvent } from './events.ts';
import {
  type InquiryContext,
  compileInquiry,
  dropEmpty,
  type Inquiry,
  isFlagSet,
  parseKey,
  readCredential,
  type SendFlags,
  credentialSecret,
} from './inquiry.ts';
import type { MessageMember } from './message.ts';
import { chooseRequest, requestFlags } from './request-object.ts';

type SendFlagName = keyof (typeof sendDefinition)['flags'] | MessageMember;

/** Builds an inquiry from the flags; in a dry run, `open` names placeholders for earlier answers. */
type InquiryBuilder = (flags: SendFlags, atHand: InquiryContext) => Inquiry | Promise<Inquiry>;

/** Configuration (§4.5) and keys, judged by every discovery rule. */
const chooseDiscovery: InquiryBuilder = (flags, { target, dry }) => {
  const { mccmnc } = flags;
  const differs = dropEmpty({ query: mccmnc === undefined ? undefined : { mccmnc }, headers: flags.http_headers });
  const isUsual = Object.keys(differs).length === 0;
  const keySets = target.endpoints['event_jwks'] === undefined ? ['jwks'] : ['jwks', 'event_jwks'];
  const keys = keySets.map((to) => ({ as: to === 'jwks' ? 'keys' : 'event-keys', http: { to }, expect: 'answered' }));
  const steps = [
    { as: 'configuration', http: { to: 'discovery', ...differs }, expect: 'answered' },
    ...(isUsual ? keys : []),
  ];
  return compileInquiry(flags, {
    id: 'discovery',
    title: 'The configuration and the keys',
    steps,
    step: 'configuration',
    others: ['keys', 'event-keys'],
    mayBeRefused: !isUsual,
    ...(dry ? { open: 'every command fetches the configuration before it does anything: this one was fetched' } : {}),
    ...(isUsual ? { area: 'discovery' } : {}),
  });
};

/** A key set (§2.9). */
const chooseKeys =
  (to: 'jwks' | 'event_jwks'): InquiryBuilder =>
  (flags) =>
    compileInquiry(flags, {
      id: 'keys',
      title: 'A set of keys',
      steps: [{ as: 'keys', http: { to, ...dropEmpty({ headers: flags.http_headers }) }, expect: 'answered' }],
      step: 'keys',
      mayBeRefused: isFlagSet(flags.http_headers),
    });

function parseProofFlags({ proof, key }: SendFlags): Json | undefined {
  if (proof !== undefined && key !== undefined) throw usageError('proof of --message and --key: a text has no key');
  if (key !== undefined) return { key: parseKey(key) };
  if (proof === undefined) return undefined;
  return proof === '' ? { absent: true } : { value: escapeTemplates(proof) };
}

/** A query of §4.7, with the target's proof. */
const chooseTenure: InquiryBuilder = (flags, { target }) => {
  const { client, subscriber, parameters, drop, proof } = flags;
  const differs = dropEmpty({
    members: parameters,
    drop: [...drop],
    headers: flags.http_headers,
    proof: parseProofFlags(flags),
  });
  // Another subscriber may have no tenure, and a client may not be enabled for it (UT-004).
  const isEnabled = target.clients.find(({ name }) => name === client)?.flags['usertraits_enabled'] === true;
  const isUsual = Object.keys(differs).length === 0 && isEnabled && subscriber === 'consented';
  const expect = isUsual ? { rule: 'UT-001', outcome: 'accepted' } : 'answered';
  return compileInquiry(flags, {
    id: 'usertrait',
    title: 'The SIM tenure of a subscriber',
    steps: [{ as: 'query', usertrait: differs, expect }],
    secrets: credentialSecret('proof', proof),
    step: 'query',
    mayBeRefused: !isUsual,
  });
};

/** Steps that obtain an access token: a request approved by the subscriber. */
const approvalSteps = (scope: string): readonly Json[] => [
  { as: 'request', authorize: { claims: { scope } }, expect: 'accepted', control: true },
  { as: 'approval', trigger: 'approve' },
  { as: 'result', await: 'callback', expect: 'completed', control: true },
];

/** User info (§2.11). */
const chooseUserinfo: InquiryBuilder = async (flags, { dry, stdin }) => {
  const { scope = 'openid name', http_headers } = flags;
  const isGiven = flags.token !== undefined;
  const placeholder = dry ? 'ACCESS_TOKEN' : '{{ result.body.access_token }}';
  const token = isGiven ? await readCredential('token of --message', flags.token, stdin) : placeholder;
  const headers = { authorization: `Bearer ${token}`, ...http_headers };
  const profile = {
    as: 'profile',
    http: { to: 'userinfo', headers },
    // A profile that is not a JSON object, such as a signed one, is not judged here.
    control: true,
    expect: { outcome: 'accepted', body: { type: 'object', required: ['sub'] } },
  };
  return compileInquiry(flags, {
    id: 'userinfo',
    title: 'The profile of a subscriber',
    steps: [...(isGiven || dry ? [] : approvalSteps(scope)), profile],
    secrets: credentialSecret('token', isGiven ? token : undefined),
    step: 'profile',
    mayBeRefused: isGiven || isFlagSet(http_headers),
    ...(dry && !isGiven ? { open: 'ACCESS_TOKEN stands for the access token that an approved request brings' } : {}),
  });
};

/** Parameters that authenticate a call by assertion (RFC 7523 §2.2); needs a step `assertion` before it. */
const signedByAssertion: Readonly<Record<string, Json>> = {
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: '{{ assertion.jws }}',
};

/** Removes the dropped parameters. Throws for an unknown one. */
function dropParameters(parameters: Readonly<Record<string, Json>>, dropped: readonly string[]): Record<string, Json> {
  const unknown = dropped.find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) {
    throw usageError(`--drop: there is no ${unknown} to leave out; there are ${Object.keys(parameters).join(', ')}`);
  }
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !dropped.includes(name)));
}

/** Grant parameters: a code, a refresh token, or the code issued by the target's driver. */
async function buildGrant(
  { code, refresh_token }: SendFlags,
  { dry, stdin }: InquiryContext,
): Promise<Record<string, Json>> {
  if (code !== undefined && refresh_token !== undefined)
    throw usageError('--message has both code and refresh_token: write only one of them');
  if (refresh_token !== undefined) {
    const token = await readCredential('refresh_token of --message', refresh_token, stdin);
    return { grant_type: 'refresh_token', refresh_token: token };
  }
  const issued = dry ? 'AUTHORIZATION_CODE' : '{{ issued.body.code }}';
  return {
    grant_type: 'authorization_code',
    code: code === undefined ? issued : escapeTemplates(code),
    redirect_uri: '{{ client.redirect_uri }}',
  };
}

/** Minimum response of a token call (TOK-001). */
const tokenSchema = {
  type: 'object',
  required: ['access_token'],
  properties: { access_token: { type: 'string', minLength: 1 } },
};

const issueCode = { action: 'issue-code', with: { scope: 'openid', redirect_uri: '{{ client.redirect_uri }}' } };

/** A token call authenticated by assertion (§4.3, §5.5). */
const chooseTokenCall: InquiryBuilder = async (flags, atHand) => {
  const { key, parameters, drop, http_headers, code, refresh_token } = flags;
  const { dry } = atHand;
  const isGiven = (code ?? refresh_token) !== undefined;
  const usual = { ...(await buildGrant(flags, atHand)), ...signedByAssertion };
  const form = dropParameters({ ...usual, ...parameters }, drop);
  const isUsual = ![parameters, drop, http_headers, key].some(isFlagSet) && !isGiven;
  const signing = dropEmpty({ key: key === undefined ? undefined : parseKey(key) });
  const steps = [
    ...(isGiven || dry ? [] : [{ as: 'issued', trigger: issueCode }]),
    { as: 'assertion', sign: { base: 'client-assertion', ...signing } },
    {
      as: 'call',
      http: { to: 'token', form, ...dropEmpty({ headers: flags.http_headers }) },
      // A success must contain tokens; a refusal may be the purpose of the flags.
      ...(isUsual ? {} : { control: true }),
      expect: { outcome: 'accepted', body: tokenSchema, ...(isUsual ? { rule: 'TOK-001' } : {}) },
    },
  ];
  return compileInquiry(flags, {
    id: 'token',
    title: 'A token call',
    steps,
    secrets: [
      ...credentialSecret('code', code),
      ...credentialSecret('refresh_token', isGiven ? renderPlain(usual['refresh_token']) : undefined),
    ],
    step: 'call',
    mayBeRefused: !isUsual,
    ...(dry && !isGiven ? { open: 'AUTHORIZATION_CODE stands for the code that the driver issues' } : {}),
  });
};

/** A cancellation (§4.4) in the form that the target describes. */
const chooseCancellation: InquiryBuilder = (flags, { dry }) => {
  const { auth_req_id: id } = flags;
  const opened = dry ? 'AUTH_REQ_ID' : '{{ request.body.auth_req_id }}';
  const parameters = {
    auth_req_id: id === undefined ? opened : escapeTemplates(id),
    ...signedByAssertion,
    ...flags.parameters,
  };
  const http = {
    to: 'cancel',
    parameters: dropParameters(parameters, flags.drop),
    ...dropEmpty({ headers: flags.http_headers }),
  };
  const inquiry = compileInquiry(flags, {
    id: 'cancel',
    title: 'A cancellation',
    steps: [
      ...(id !== undefined || dry ? [] : [{ as: 'request', authorize: {}, expect: 'accepted', control: true }]),
      { as: 'assertion', sign: { base: 'client-assertion' } },
      { as: 'cancellation', http, expect: 'answered' },
    ],
    cancels: true,
    step: 'cancellation',
    mayBeRefused: true,
    ...(dry && id === undefined ? { open: 'AUTH_REQ_ID stands for the id of a request that is sent before' } : {}),
  });
  return { ...inquiry, case: { ...inquiry.case, requires: [...inquiry.case.requires, 'cancel'] } };
};

const commonFlags: readonly SendFlagName[] = ['client', 'subscriber', 'target', 'suites', 'fault', 'message', 'json'];
/** Flags that print the request instead of sending it. */
const printFlags: readonly SendFlagName[] = ['curl', 'dryRun'];

interface SendEndpointEntry {
  readonly choose: InquiryBuilder;
  readonly flags: readonly SendFlagName[];
}

export const sendEndpoints: Readonly<Record<SendFlags['endpoint'], SendEndpointEntry>> = {
  server_initiated: { choose: chooseRequest, flags: [...requestFlags, 'from', 'step', ...printFlags] },
  discovery: { choose: chooseDiscovery, flags: ['mccmnc', 'http_headers', ...printFlags] },
  jwks: { choose: chooseKeys('jwks'), flags: ['http_headers', ...printFlags] },
  event_jwks: { choose: chooseKeys('event_jwks'), flags: ['http_headers', ...printFlags] },
  usertrait: { choose: chooseTenure, flags: ['parameters', 'drop', 'http_headers', 'proof', 'key', ...printFlags] },
  userinfo: { choose: chooseUserinfo, flags: ['token', 'scope', 'http_headers', ...printFlags] },
  token: {
    choose: chooseTokenCall,
    flags: ['code', 'refresh_token', 'parameters', 'drop', 'key', 'http_headers', ...printFlags],
  },
  cancel: { choose: chooseCancellation, flags: ['auth_req_id', 'parameters', 'drop', 'http_headers', ...printFlags] },
  events: { choose: chooseEvent, flags: ['trigger', 'event', 'wait'] },
};

export const acceptsFlag = (flag: string, { flags }: SendEndpointEntry): boolean =>
  [...commonFlags, ...flags].some((one) => one === flag);
