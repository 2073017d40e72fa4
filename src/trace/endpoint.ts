/** What the environment says of traces, by the names that OpenTelemetry gives them. */
type Env = Readonly<Record<string, string | undefined>>;

/** Where the traces of a run go, that they go nowhere, or why they cannot. */
export type Destination = { readonly url: URL } | 'off' | { readonly wrong: string };

/** An endpoint that is the base of all signals, such as `http://localhost:4318`. */
function withSignal(base: URL): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url;
}

const given = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

function urlIn(env: Env, name: string): URL | { readonly wrong: string } {
  const text = given(env, name) ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : { wrong: `${name} is no http or https URL` };
}

/** The URL of `--traces`: of a collector as a whole, or one with a path, which is kept. */
export const fromFlag = (url: URL): URL => (url.pathname === '/' && url.search === '' ? withSignal(url) : url);

/** What turns traces off whatever endpoint is set, or says how they cannot be sent. */
function refusedBy(env: Env): Exclude<Destination, { readonly url: URL }> | undefined {
  if (given(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return 'off';
  const exporters = given(env, 'OTEL_TRACES_EXPORTER')?.split(',') ?? ['otlp'];
  if (!exporters.some((one) => one.trim() === 'otlp')) return 'off';
  const [name = ''] = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'].filter(
    (one) => given(env, one) !== undefined,
  );
  return given(env, name) === 'grpc'
    ? { wrong: `${name} is grpc, and traces are sent by http: name the port for http, as a rule 4318, with http/json` }
    : undefined;
}

/** Where traces go by the environment: nowhere unless it names an endpoint. */
export function fromEnvironment(env: Env): Destination {
  const own = given(env, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if (own === undefined && given(env, 'OTEL_EXPORTER_OTLP_ENDPOINT') === undefined) return 'off';
  const refused = refusedBy(env);
  if (refused !== undefined) return refused;
  const url = urlIn(env, own === undefined ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  if ('wrong' in url) return url;
  return { url: own === undefined ? withSignal(url) : url };
}
