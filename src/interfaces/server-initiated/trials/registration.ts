import type { CaseContext, CaseWith } from '../../../engine/context/case-context.ts';
import { driveAction } from '../../../engine/drive/drive.ts';
import {
  type ProbeNote,
  okNote,
  problemNote,
  type DeclarationTrial,
  warningNote,
} from '../../../engine/context/note.ts';
import { isJsonObject } from '../../../lib/json.ts';
import { resolveUri } from '../../../engine/context/scope.ts';
import { launchScopes } from '../registration.ts';
import { tryRequest, isAcceptedResponse, sendTrialRequest, summarizeRefusal } from './features.ts';

type RegistrationTrial = DeclarationTrial<CaseContext>;

function listOtherUris({
  client,
  services,
}: CaseWith<'client', 'receiver'>): readonly (readonly [claim: string, uri: string])[] {
  const rest = (claim: string, uris: readonly string[]) => uris.slice(1).map((uri) => [claim, uri] as const);
  return [
    ...rest('redirect_uri', client.redirectUris),
    ...rest(
      'notification_uri',
      client.notificationUris.map((uri) => resolveUri(uri, services.receiver)),
    ),
  ];
}

const uriTrial: RegistrationTrial = {
  about: 'URIs',
  fits: ({ redirectUris, notificationUris }) => redirectUris.length > 1 || notificationUris.length > 1,
  run: async (ctx) => {
    const refused: ProbeNote[] = [];
    for (const [at, [claim, uri]] of listOtherUris(ctx).entries()) {
      const response = await tryRequest(`uri${at}`, { [claim]: uri }, ctx);
      if (isAcceptedResponse(response)) continue;
      refused.push(
        problemNote('', {
          whose: 'configuration',
          description: `a request with the ${claim} ${uri} is refused: ${summarizeRefusal(response)}`,
          change: 'register it with the carrier, or take it out of the file',
        }),
      );
    }
    return refused.length > 0 ? refused : [okNote('', 'every other redirect_uri and notification_uri is registered')];
  },
};

const joinScopes = (names: readonly string[]): string => ['openid', ...names].join(' ');

/** C1.25: cases ask for each of these scopes, and are inconclusive if it is not registered. */
const scopeTrial: RegistrationTrial = {
  about: 'scopes',
  fits: ({ name }) => name === 'main',
  run: async (ctx) => {
    const all = (ctx.client.scopes ?? launchScopes).filter(
      (scope) => scope !== 'openid' && launchScopes.includes(scope),
    );
    if (isAcceptedResponse(await tryRequest('scopes', { scope: joinScopes(all) }, ctx))) {
      return [okNote('', `the ${all.length + 1} scopes of launch are registered: openid, ${all.join(', ')}`)];
    }
    const missing: string[] = [];
    for (const scope of all)
      if (!isAcceptedResponse(await tryRequest(scope, { scope: joinScopes([scope]) }, ctx))) missing.push(scope);
    const which = missing.length === 0 ? 'all at once' : missing.join(', ');
    return [
      warningNote('', {
        whose: 'configuration',
        description: `the carrier refuses requests for the scopes ${which}: cases that need them will be inconclusive`,
        change: `register ${missing.length === 0 ? all.join(', ') : which} for this client, or list those that are registered under its "scopes"`,
      }),
    ];
  },
};

/** REQ-080 needs a subscriber who has not consented yet. */
const consentTrial: RegistrationTrial = {
  about: 'birthdate without a consent',
  fits: ({ name }, { drivers }) => name === 'main' && drivers['look'] !== undefined && drivers['look'].kind !== 'ask',
  run: async (ctx) => {
    const response = await sendTrialRequest('birthdate', { scope: 'openid birthdate' }, ctx);
    if (!isAcceptedResponse(response)) return [];
    const { done, body } = await driveAction({ action: 'look', of: 'birthdate', step: 'look' }, ctx);
    await driveAction({ action: 'deny', of: 'birthdate', step: 'deny' }, ctx);
    const card = isJsonObject(body) && isJsonObject(body['card']) ? body['card'] : body;
    const screen: unknown = done && isJsonObject(card) ? card['consentScreen'] : undefined;
    if (!Array.isArray(screen) || screen.includes('birthdate')) return [okNote('', 'the phone asks for it')];
    if (ctx.services.target.drivers['remove-consent'] !== undefined) {
      return [
        okNote('', `subscriber ${ctx.subscriber.name} has consented to it: cases of new consents remove that first`),
      ];
    }
    return [
      warningNote('', {
        whose: 'configuration',
        description: `subscriber ${ctx.subscriber.name} has consented to birthdate: cases of new consents will be inconclusive`,
        change: 'remove that consent, so that the phone asks for it',
      }),
    ];
  },
};

export const registrationTrials: readonly RegistrationTrial[] = [uriTrial, scopeTrial, consentTrial];
