import { attributes, launchScopes, roles } from '../../interfaces/server-initiated/registration.ts';
import { drawUnguessable } from '../../lib/unguessable.ts';
import type { ClientRole } from '../../model/interface.ts';
import type { SigningAlg } from '../../model/signing.ts';

/** A role in which cases use a registration, with the files of its keys once they are made. */
export interface Role {
  readonly name: string;
  /** Paths from the folder of the target file. */
  readonly keys: readonly string[];
  /** That the carrier has to allow it. */
  readonly scopes: readonly string[];
  readonly secret: boolean;
  readonly redirectUris: readonly string[];
  readonly notificationUris: readonly string[];
  readonly eventUri?: string;
  /** That are on. */
  readonly flags: readonly string[];
}

/** A key to be made. */
export interface KeyFile {
  readonly path: string;
  readonly alg: SigningAlg;
  /** Characters of its kid, where that is of use. */
  readonly kidLength?: number;
}

/** The shortest and the longest kid (§2.2, C1.30): they are those of a client with several keys. */
const kidLengths: readonly number[] = [36, 1];

/** The algorithms of a role where the carrier lists these: one by which all sign, and of several keys one for each. */
function algsOf(name: string, listed: readonly SigningAlg[]): readonly SigningAlg[] {
  const usual = roles[name]?.algs ?? [];
  if (listed.length === 0 || usual.length === 0) return usual;
  const [only] = listed;
  if (usual.length > 1) return listed.length === 1 && only !== undefined ? usual.map(() => only) : listed;
  return usual.every((alg) => listed.includes(alg)) ? usual : listed.slice(0, 1);
}

/** The files of a role's keys, with their algorithms: `keys/two-keys-2.json`. */
export function keyFilesOf(name: string, listed: readonly SigningAlg[]): readonly KeyFile[] {
  const algs = algsOf(name, listed);
  return algs.map((alg, at) => {
    const kidLength = algs.length > 1 ? kidLengths[at] : undefined;
    const path = `keys/${name}${at === 0 ? '' : `-${at + 1}`}.json`;
    return { alg, path, ...(kidLength === undefined ? {} : { kidLength }) };
  });
}

/** The scopes that a role asks for. */
const scopesOf = ({ flags = [] }: Partial<ClientRole>): readonly string[] => [
  ...launchScopes,
  ...(flags.includes('ial_enabled') ? attributes.filter((name) => !launchScopes.includes(name)) : []),
  ...(flags.includes('events') ? ['events'] : []),
];

export function roleOf(name: string, listed: readonly SigningAlg[]): Role {
  const plan = roles[name];
  const part = `${name}/${drawUnguessable()}`;
  return {
    name,
    keys: keyFilesOf(name, listed).map(({ path }) => path),
    scopes: scopesOf(plan ?? {}),
    secret: plan?.secret === true,
    redirectUris: [`https://sp.example/${name}/callback`],
    notificationUris: [`/${part}/notify`, `/${part}/notify-alternate`],
    ...(plan?.events === true ? { eventUri: `/${part}/events` } : {}),
    flags: plan?.flags ?? [],
  };
}

/** What the first target file of a carrier holds. */
export interface InitFile {
  /** Path of the JSON Schema, from the file's folder. */
  readonly schema: string;
  readonly carrier: string;
  readonly mccmnc: string;
  /** Discovery issuer; undefined: an environment variable. */
  readonly issuer: string | undefined;
  readonly receiver: URL;
  /** Carrier codes of others. */
  readonly foreign: readonly string[];
  readonly clients: readonly Role[];
}

const quoted = (text: string): string => JSON.stringify(text);

/** `two-keys` and `CLIENT_ID`: `TWO_KEYS_CLIENT_ID`. */
export const variableOf = (role: string, what: string): string => `${role.replaceAll('-', '_').toUpperCase()}_${what}`;

export const discoveryVariable = 'CARRIER_DISCOVERY';

const transport = `# Whom to trust when the carrier is called, and our certificate where it asks for one.
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
# How long an exchange may take, and a callback that should come at once.
request_timeout: 10s
delivery_timeout: 30s
`;

const declared = `# Format of the proof of possession (§5.8): taap, jwt or dpop, or a program that makes it.
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

/** Lines that begin with a number sign and no blank are settings that are not in force. */
const head = ({
  schema,
  carrier,
  mccmnc,
  issuer,
  foreign,
}: InitFile): string => `# yaml-language-server: $schema=${schema}
# The carrier under test. docs/target-file.md explains every key; remove the number sign of a line to use it.
# carrierspec check --target FILE finds mistakes and sends nothing; carrierspec check --preflight --target FILE tries it out.
# No secret belongs in here: { env: NAME } takes it from the environment, { file: PATH } from a file.

carrier: ${quoted(carrier)}
# Carrier code of the subscribers.
mccmnc: ${quoted(mccmnc)}
# The code of another carrier, for which discovery must not give this one's configuration.
${foreign.length === 0 ? '#carrier_codes: { foreign: ["001020"] }' : `carrier_codes: { foreign: ${JSON.stringify(foreign)} }`}
# The discovery issuer names issuer and endpoints (§4.5). What stands here wins over what it says.
discovery: ${issuer === undefined ? `{ env: ${discoveryVariable} }` : quoted(issuer)}
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
# Recommended rules count for the outcome as well: freshness, replay and limits. Right for a carrier's own CI.
#profile: strict

${transport}# A header with a value of its own on every request, to find it in the carrier's logs.
#trace_header: X-Request-ID
${declared}`;

const receiverText = ({ receiver }: InitFile): string => {
  const isLocal = receiver.protocol === 'http:' && receiver.hostname === '127.0.0.1';
  const port = receiver.port === '' ? (receiver.protocol === 'https:' ? 8443 : 80) : Number(receiver.port);
  return `
# Where the SP's endpoints are during a run. The carrier calls url; carrierspec listens on host and port.
# For https give tls, or put a proxy in front that passes everything on unchanged.
receiver:
  host: ${isLocal ? '127.0.0.1' : '"0.0.0.0"'}
  port: ${port}
  url: ${quoted(receiver.href.replace(/\/$/, ''))}
#  tls: { cert: { file: tls/receiver.pem }, key: { file: tls/receiver-key.pem } }
# Other locks than the drawn parts of the URIs below: where the carrier sends from, or the certificate it shows.
#  sources: ["192.0.2.0/24"]
#  clients: { ca: { file: tls/carrier-ca.pem } }
# A further notification URI of main, where the run shows a certificate that nobody may trust.
#  wrong_certificate: { uri: "https://sp.example:8444/notify" }
`;
};

function clientText({ name, keys, secret, redirectUris, notificationUris, eventUri, flags }: Role): string {
  const on = flags.map((flag) => `${flag}: true`).join(', ');
  const lines = [
    `  ${name}:`,
    `    client_id: { env: ${variableOf(name, 'CLIENT_ID')} }`,
    ...(keys.length === 0 ? [] : ['    keys:', ...keys.map((file) => `      - { file: ${file} }`)]),
    ...(secret ? [`    secret: { env: ${variableOf(name, 'SECRET')} }`] : []),
    `    redirect_uris: ${JSON.stringify(redirectUris)}`,
    `    notification_uris: ${JSON.stringify(notificationUris)}`,
    ...(eventUri === undefined ? [] : [`    event_uri: ${eventUri}`]),
    `    flags: {${on === '' ? '' : ` ${on} `}}`,
  ];
  return lines.join('\n');
}

const subscribersText = ({ mccmnc, clients }: InitFile): string => {
  const subs = (who: string): string =>
    clients.map(({ name }) => `      ${name}: ${quoted(`${mccmnc}-the-sub-of-${who}-for-${name}`)}`).join('\n');
  const one = (who: string, tags: string, phone: string): string =>
    `  ${who}:\n    tags: [${tags}]\n    phone: ${quoted(phone)}\n    subs:\n${subs(who)}\n`;
  return `
# Test users. subs holds the pairwise subscriber id by client: put in those that the carrier gives you.
# tags say what a case may ask for: consented, second (another who has consented), unconsented, unenrolled (without the
# phone app), undeterminable, proofed, self-declared. Several consented ones shorten a run.
subscribers:
${one('first', 'consented', '+12025550101')}${one('second', 'second', '+12025550102')}#  stranger:
#    tags: [unconsented]
#    phone: "+12025550103"
#    subs: { ${clients[0]?.name ?? 'main'}: ${quoted(`${mccmnc}-the-sub-of-stranger`)} }
`;
};

const rest = `
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

/** The commented target file. */
export function renderInitFile(file: InitFile): string {
  const clients = `
# SP registrations, by the role in which cases use them. Everything is as registered with the carrier.
# Paths that begin with a slash are below the receiver's URL. Two notification URIs let cases check that the named one is used.
# The part that was drawn is a lock: who does not know it cannot deliver anything that is judged. Register it as it is.
clients:
${file.clients.map(clientText).join('\n')}
`;
  return [head(file), receiverText(file), clients, subscribersText(file), rest].join('');
}
