import { sendTo } from '../../../engine/act/http.ts';
import { type CaseContext, type CaseWith, Unmet } from '../../../engine/context/case-context.ts';
import { endpointUrl } from '../../../engine/context/endpoints.ts';
import { driveAction } from '../../../engine/drive/drive.ts';
import { type ProbeNote, okNote, type DeclarationTrial, warningNote } from '../../../engine/context/note.ts';
import type { ResponseObservation } from '../../../judge/observation.ts';
import { isJsonObject, type JsonObject, renderPlain, readTextMember } from '../../../lib/json.ts';
import { hasAttribute } from '../../../model/declaration.ts';
import { encodeForm, type HttpRequest, formContentType } from '../../../wire/build/http-request.ts';
import { usualAttributes as usual } from '../registration.ts';
import { prepareRequest } from '../verbs/proof.ts';
import { requireBase, signObject } from '../verbs/signed-object.ts';
import { usertrait } from '../verbs/usertrait.ts';
import { tryRequest, approveRequest, isAcceptedResponse, summarizeRefusal } from './features.ts';

type TokenTrial = DeclarationTrial<CaseContext>;

const trialEndpoint = (name: string, { services }: CaseWith<never, 'endpoints' | 'target'>): string =>
  endpointUrl(name, services);

const sendTrialCall = (to: string, http: HttpRequest, ctx: CaseContext): Promise<ResponseObservation> =>
  sendTo(to, { step: to, purpose: to, http, differences: [] }, ctx);

const suggestAudience = (declared: string | undefined): string => (declared === 'issuer' ? 'token_endpoint' : 'issuer');

/** Tries a client assertion with the declared audience. */
const assertionTrial: TokenTrial = {
  about: 'audience of client assertions',
  fits: ({ name }, { drivers }) => name === 'main' && drivers['issue-code'] !== undefined,
  run: async (ctx) => {
    const { assertionAudience = 'token_endpoint' } = ctx.services.target;
    const url = trialEndpoint('token', ctx);
    const given = { scope: 'openid', redirect_uri: ctx.client.redirectUris[0] ?? '' };
    const { done, body, summary } = await driveAction({ action: 'issue-code', given, step: 'code' }, ctx);
    const code = readTextMember(body, 'code');
    if (!done || code === undefined) throw new Unmet(`there is no code: ${summary}`);
    ctx.redactor.learn('code', code);
    const { jws } = await signObject(requireBase('client-assertion', ctx.services), {}, ctx);
    ctx.redactor.learn('signed JWT', jws);
    const members = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: given.redirect_uri,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: jws,
    };
    const http = {
      method: 'POST',
      url,
      headers: [['content-type', formContentType] as const],
      body: encodeForm(Object.entries(members)),
    };
    const response = await sendTrialCall('token', http, ctx);
    if (isAcceptedResponse(response)) return [okNote('', `the token endpoint takes ${assertionAudience}`)];
    return [
      warningNote('', {
        whose: 'configuration',
        description: `the token endpoint refuses a client assertion for ${assertionAudience}: ${summarizeRefusal(response)}`,
        change: `try "token: { assertion_audience: ${suggestAudience(assertionAudience)} }", or its URL`,
      }),
    ];
  },
};

/** Tries a SIM tenure request with the declared proof. */
const proofTrial: TokenTrial = {
  about: 'proof of possession',
  fits: ({ flags }, { supports }) => flags['usertraits_enabled'] === true && supports['usertrait'] !== false,
  run: async (ctx) => {
    trialEndpoint('usertrait', ctx);
    const step = { name: 'tenure', position: { file: 'preflight', line: 1, column: 1 }, times: 1, control: false };
    const act = { verb: 'usertrait', difference: {} } as const;
    const response = await usertrait.run(act, { ...step, act, expectations: [], record: [] }, ctx);
    if (response.kind !== 'response') throw new TypeError('a usertrait request has a response');
    const { proof: how = 'taap' } = ctx.services.target;
    const name = typeof how === 'string' ? how : 'of your program';
    if (isAcceptedResponse(response)) return [okNote('', `the SIM tenure endpoint takes the proof ${name}`)];
    return [
      warningNote('', {
        whose: 'configuration',
        description: `the SIM tenure endpoint refuses a request with the proof ${name}: ${summarizeRefusal(response)}`,
        change: 'is "proof" the format of the carrier, and does it know the subscriber?',
      }),
    ];
  },
};

const nonAttributeMembers = new Set(['sub', 'verification', 'updated_at']);

function compareAttributes(
  profile: JsonObject,
  { services }: CaseWith<never, 'interface' | 'target'>,
): readonly ProbeNote[] {
  const declared = services.target.attributes ?? usual;
  const shown = Object.keys(profile).filter((name) => !nonAttributeMembers.has(name));
  const missing = declared.filter((name) => !hasAttribute(shown, name));
  const known = services.interface.attributes.known;
  const more = shown.filter((name) => hasAttribute(known, name) && !hasAttribute(declared, name));
  if (missing.length === 0 && more.length === 0) return [okNote('', `user info has ${declared.join(', ')}`)];
  const list = known.filter((name) => hasAttribute(shown, name));
  const words = [
    ...(missing.length === 0 ? [] : [`has no ${missing.join(', ')}`]),
    ...(more.length === 0 ? [] : [`has ${more.join(', ')}, which the file does not list`]),
  ];
  return [
    warningNote('', {
      whose: 'configuration',
      description: `user info ${words.join(', and ')}`,
      change: `write "attributes: [${list.join(', ')}]" where the carrier has no others, or register the scopes`,
    }),
  ];
}

/** Compares the declared attributes with user info. */
const attributeTrial: TokenTrial = {
  about: 'attributes of user info',
  fits: ({ flags }, { drivers }) => flags['ial_enabled'] === true && drivers['approve'] !== undefined,
  run: async (ctx) => {
    const url = trialEndpoint('userinfo', ctx);
    const declared = ctx.services.target.attributes ?? usual;
    const all = [...new Set([...declared, ...usual])];
    // An attribute not in the file may be refused, or be there as well.
    const more = isAcceptedResponse(await tryRequest('attributes', { scope: ['openid', ...all].join(' ') }, ctx));
    const scopes = ['openid', ...(more ? all : declared)];
    const { body } = await approveRequest({ scope: scopes.join(' ') }, scopes, ctx);
    const token = isJsonObject(body) ? renderPlain(body['access_token'] ?? '') : '';
    const plain = { method: 'GET', url, headers: [['authorization', `Bearer ${token}`] as const] };
    const http = await prepareRequest({ to: 'userinfo', http: plain, written: [] }, ctx);
    const response = await sendTrialCall('userinfo', http, ctx);
    if (isAcceptedResponse(response) && isJsonObject(response.body)) return compareAttributes(response.body, ctx);
    const other = ctx.services.target.userinfoProof !== true;
    return [
      warningNote('', {
        whose: 'configuration',
        description: `user info is refused: ${summarizeRefusal(response)}`,
        change: `try "userinfo: { proof: ${other} }"`,
      }),
    ];
  },
};

export const tokenTrials: readonly TokenTrial[] = [assertionTrial, proofTrial, attributeTrial];
