import { usualAttributes, launchScopes, clientRoles } from '../../interfaces/server-initiated/registration.ts';
import { drawUnguessable } from '../../lib/unguessable-part.ts';
import { makePlaceholder } from '../../target/load.ts';

/** A client by its role, with key paths relative to the target file. */
interface TemplateClient {
  readonly name: string;
  readonly keys: readonly string[];
}

interface TemplateFacts {
  /** Path of the JSON Schema, relative to the target file. */
  readonly schema: string;
  /** Discovery issuer, or undefined for a placeholder. */
  readonly issuer: string | undefined;
  /** The first is active, the others are commented out. */
  readonly clients: readonly TemplateClient[];
}

const quoteYaml = (text: string): string => JSON.stringify(text);
const fillInMark = (meaning: string): string => quoteYaml(makePlaceholder(meaning));
const commentOut = (lines: string): string => lines.replaceAll(/^/gm, '#');

const transportText = `# The authorities to trust when the carrier is called, and our certificate where it asks for one.
#tls:
#  ca: { file: tls/ca.pem }
#  cert: { file: tls/client.pem }
#  key: { file: tls/client-key.pem }
#  min_version: TLSv1.2
# An HTTP proxy on the way. One with a password only by a variable.
#proxy: { env: CARRIER_PROXY }
# At most so many requests; it stretches the run.
#rate_limit: 5/s
# Cases that may be open at the same time for one subscriber; fewer, where the carrier allows few pending requests.
#cases_per_subscriber: 4
# In real time, hours: 09:00-17:00 keeps pushes to phones and tasks of people within these hours of the day.
# How long an exchange may take, and a callback that should come at once.
request_timeout: 10s
delivery_timeout: 30s
`;

const featuresText = `# Format of the proof of possession (§5.8): taap, jwt or dpop, or a program that makes it.
#proof: taap
# How long the carrier may take, where it takes longer than this.
#latency: { callback: 30s, event: 10m, sim_swap: 1h, consent: 1m }
# The attributes that user info can have, where it has not all of §2.11.
#attributes: [name, email, phone]
# The audience of client assertions, where it is not the token endpoint.
#token: { assertion_audience: issuer }
# User info wants a proof of possession as well.
#userinfo: { proof: true }
# Where the keys of events are, if not at jwks.
#events: { jwks: "https://op.carrier.example/event-keys" }
`;

/** In the template, `#` without a blank marks an inactive setting. */
const renderPreamble = ({ schema, issuer }: TemplateFacts): string => `# yaml-language-server: $schema=${schema}
# The carrier under test. docs/target-file.md explains every key; remove the number sign of a line to use it.
# Put a value in place of each "<fill in: ...>". carrierspec check --target FILE names those that are left, finds mistakes, and
# sends nothing; then carrierspec check --preflight --target FILE tries it out.
# No secret belongs in here: { env: NAME } takes it from the environment, { file: PATH } from a file.

# Its name, as reports show it.
carrier: Carrier under test
# Carrier code of the subscribers.
mccmnc: ${fillInMark('carrier code of the subscribers, 5 or 6 digits')}
# The code of another carrier, for which discovery must not give this one's configuration.
#carrier_codes: { foreign: ["001020"] }
# The discovery issuer names issuer and endpoints (§4.5). A value of this file wins over a discovered one.
discovery: ${issuer === undefined ? fillInMark('URL of the discovery issuer') : quoteYaml(issuer)}
#issuer: "https://op.carrier.example"
#endpoints:
#  server_initiated: "https://op.carrier.example/bc-authorize"
#  token: "https://op.carrier.example/token"
#  userinfo: "https://op.carrier.example/userinfo"
#  jwks: "https://op.carrier.example/jwks"
#  usertrait: "https://op.carrier.example/v1/usertrait"
#  cancel: "https://op.carrier.example/cancel"
# Origins where the carrier is as well: nothing is sent to one that is not of the site of discovery, unless it stands here.
#origins: ["https://keys.carrier.example"]
# The carrier has no subscribers but test users: results and certificates say so.
#test_carrier: true
# Recommended rules count for the outcome as well: freshness, replay and limits. Right for a carrier's own CI; a certificate of what
# the interface requires has interface here.
profile: strict

${transportText}# A header with a value of its own on every request, to find it in the carrier's logs.
#trace_header: X-Request-ID
${featuresText}`;

const receiverText = `
# Where the SP's endpoints are during a run. The carrier calls url; carrierspec listens on host and port.
# For https give tls, or put a proxy in front that passes everything on unchanged.
receiver:
  host: 127.0.0.1
  port: 8602
  url: ${fillInMark('URL under which the carrier reaches host and port')}
#  tls: { cert: { file: tls/receiver.pem }, key: { file: tls/receiver-key.pem } }
# Other locks than the drawn parts of the URIs below: where the carrier sends from, or the certificate it shows.
#  sources: ["192.0.2.0/24"]
#  clients: { ca: { file: tls/carrier-ca.pem } }
# A further notification URI of main, where the run shows a certificate that no carrier may trust.
#  wrong_certificate: { uri: "https://sp.example:8444/notify" }
`;

function roleScopes(role: string): readonly string[] {
  const flags = clientRoles[role]?.flags ?? [];
  return [
    ...launchScopes,
    ...(flags.includes('ial_enabled') ? usualAttributes.filter((name) => !launchScopes.includes(name)) : []),
    ...(flags.includes('events') ? ['events'] : []),
  ];
}

function clientText({ name, keys }: TemplateClient): string {
  const { secret, events, flags = [] } = clientRoles[name] ?? {};
  const part = `/${name}/${drawUnguessable()}`;
  const on = flags.map((flag) => `${flag}: true`).join(', ');
  const variable = `${name.replaceAll('-', '_').toUpperCase()}_SECRET`;
  return [
    `  ${name}:`,
    `    # Its scopes: ${roleScopes(name).join(' ')}`,
    `    client_id: ${fillInMark(`client_id of ${name}, as the carrier gives it`)}`,
    ...(keys.length === 0 ? [] : ['    keys:', ...keys.map((file) => `      - { file: ${file} }`)]),
    ...(secret === true ? [`    secret: { env: ${variable} }`] : []),
    `    redirect_uris: ["https://sp.example/${name}/callback"]`,
    `    notification_uris: ["${part}/notify", "${part}/notify-alternate"]`,
    ...(events === true ? [`    event_uri: ${part}/events`] : []),
    `    flags: {${on === '' ? '' : ` ${on} `}}`,
  ].join('\n');
}

const clientsText = ([first, ...others]: readonly TemplateClient[]): string => `
# SP registrations, by the role in which cases use them. Register each as it stands here: URIs, scopes and flags, and the public
# keys of keys/CLIENT.jwks.json. Paths that begin with a slash are below the receiver's URL. The part that was drawn is a lock:
# who does not know it cannot deliver anything that is judged. Two notification URIs let cases check that the named one is used.
clients:
${first === undefined ? '' : clientText(first)}
# Further roles: each lets more cases run. The carrier has to disable the client disabled, after it is registered.
${others.map((one) => commentOut(clientText(one))).join('\n')}
`;

const subscribersText = ([first, ...others]: readonly TemplateClient[]): string => {
  const sub = (who: string, name: string): string => `      ${name}: ${fillInMark(`sub of ${who} for ${name}`)}`;
  const one = (who: string, tag: string): string =>
    [
      `  ${who}:`,
      `    tags: [${tag}]`,
      `    phone: ${fillInMark(`phone number of ${who}, with its country code`)}`,
      '    subs:',
      sub(who, first?.name ?? 'main'),
    ].join('\n');
  const more = (who: string): string => commentOut(others.map(({ name }) => sub(who, name)).join('\n'));
  return `
# Test users. subs holds the pairwise subscriber id by client, as the carrier gives it.
# tags say what a case may ask for: consented, second (another who has consented), unconsented, unenrolled (without the
# phone app), undeterminable, proofed, self-declared. Several consented ones shorten a run. Those who are consented must not have
# consented to birthdate: a case sees the phone ask for it.
subscribers:
${one('first', 'consented')}
${more('first')}
${commentOut(one('other', 'second'))}
${more('other')}
${commentOut(one('stranger', 'unconsented'))}
`;
};

const closingText = `
# false: the carrier has no such feature, so cases that need it are not applicable. What it publishes is judged all the same.
#supports:
#  usertrait: false
#  cancel: false

# How things are made to happen: a request (http), a program (exec), or a question to the operator (ask).
drivers:
  approve: { ask: true }
  deny: { ask: true }
  look: { ask: true }
#  ignore: { http: { url: "https://lab.example/{{ request.body.auth_req_id }}/ignore", json: {} } }
#  move-sim: { exec: { argv: [./move-sim.sh, "{{ subscriber.phone }}"], env: { LAB_KEY: "{{ env.LAB_KEY }}" } } }

# How a cancellation is sent (§4.4).
#cancel: { method: POST, as: form }

# A carrier with a virtual clock.
#clock:
#  read: { http: { url: "https://lab.example/clock" } }
#  advance: { http: { url: "https://lab.example/clock", json: { to: "{{ to }}" } } }

# What you have seen of rules that no black box can judge.
#attestations:
#  SEC-24: { by: "who has seen it", on: 2026-01-31, description: "what it was", evidence: { text: "where it is shown" } }
`;

export const renderTemplate = (facts: TemplateFacts): string =>
  [renderPreamble(facts), receiverText, clientsText(facts.clients), subscribersText(facts.clients), closingText].join(
    '',
  );
