import type { Route } from '../carrier.ts';
import { configuration } from '../endpoints/discovery.ts';
import { defineVariants, type Edit } from '../faults/edit/define.ts';
import { leaveOut, published } from '../faults/edit/messages.ts';
import { changedRoute, withDiscovery } from '../faults/edit/parts.ts';
import { queryOf } from '../http/request.ts';
import { isJsonList } from '../json.ts';

/** The response where discovery has no configuration to give (§4.5 names none). */
function unknownCarrier(respond: Route['respond']): Edit {
  return changedRoute('configuration', {
    respond: (carrier, request, reply) => {
      const { client_id: id, mccmnc } = queryOf(request);
      const known = typeof id === 'string' && carrier.accounts.clients.get(id)?.disabled === false;
      const own = [carrier.mccmnc, ...carrier.ownCodes].some((code) => code === mccmnc);
      return known && own ? configuration(carrier, request, reply) : respond(carrier, request, reply);
    },
  });
}

const listed = ['response_types_supported', 'subject_types_supported', 'id_token_signing_alg_values_supported'];
const isFurtherList = (name: string): boolean => name.endsWith('_supported') && !listed.includes(name);

/** What a carrier may publish otherwise: §2.9, §4.5. */
export const discoveryVariants = defineVariants({
  'discovery-404-text': [
    'An unknown client or carrier gets a 404 in plain text (C1.19).',
    unknownCarrier((_carrier, _request, reply) => reply.code(404).type('text/plain').send('not found')),
  ],
  'discovery-404-empty': [
    'An unknown client or carrier gets an empty 404 (C1.19).',
    unknownCarrier((_carrier, _request, reply) => reply.code(404).send('')),
  ],
  'discovery-redirect-here': [
    'An unknown client or carrier is sent to the discovery_ui of the carrier itself (C1.19).',
    unknownCarrier((carrier, _request, reply) =>
      reply.send({ error: 'provider_not_found', redirect_uri: `${carrier.origin}/discovery-ui` }),
    ),
  ],
  'discovery-is-public': [
    'The configuration is public, whatever the client_id (C1.19).',
    withDiscovery(() => ({
      carrierOf: ({ mccmnc: asked }, { issuer, origin, mccmnc, ownCodes, paths }) => {
        const own = [mccmnc, ...ownCodes].find((code) => code === asked);
        return own === undefined ? undefined : { issuer, origin, mccmnc: own, paths };
      },
    })),
  ],
  'discovery-never-cached': [
    'The configuration is not to be kept (§4.5).',
    changedRoute('configuration', { cacheControl: 'no-cache' }),
  ],
  'discovery-of-methods': [
    'The configuration names further methods, algorithms and scopes (OIDC Discovery §3).',
    published(
      ({ scopes_supported: scopes, acr_values_supported: acrs, id_token_signing_alg_values_supported: algs }) => ({
        scopes_supported: [...(isJsonList(scopes) ? scopes : []), 'profile', 'premiuminfo'],
        acr_values_supported: [...(isJsonList(acrs) ? acrs : []), 'a2'],
        id_token_signing_alg_values_supported: [...new Set([...(isJsonList(algs) ? algs : []), 'ES256'])],
        backchannel_token_delivery_modes_supported: ['push'],
      }),
    ),
  ],
  'discovery-with-endpoint-aliases': [
    'The configuration names the endpoint under the name of CIBA as well.',
    published(({ server_initiated_endpoint: endpoint }) => ({ backchannel_authentication_endpoint: endpoint ?? '' })),
  ],
  'discovery-code-of-two-types-only': [
    'response_types_supported lists code and token (§2.9, C1.27).',
    published(() => ({ response_types_supported: ['code', 'token'] })),
  ],
  'discovery-without-mccmnc': [
    'The configuration does not repeat the carrier code (§2.9 does not name it).',
    withDiscovery(({ configuration: build }) => ({ configuration: (address) => leaveOut(build(address), 'mccmnc') })),
  ],
  'discovery-of-2-9-alone': [
    'Of its lists the configuration has those of §2.9 alone.',
    withDiscovery(({ configuration: build }) => ({
      configuration: (address) => leaveOut(build(address), ...Object.keys(build(address)).filter(isFurtherList)),
    })),
  ],
  'discovery-async-with-hyphen': [
    'response_types_supported spells async-token (§2.3, C1.27).',
    published(() => ({ response_types_supported: ['code', 'token', 'async-token'] })),
  ],
});
