import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate with its chain and its key, in PEM. */
export interface CertificatePair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  /** Authority that the target file trusts. */
  readonly authority: string;
  /** Certificates by their defect. */
  readonly of: Readonly<Record<CertificateName, CertificatePair>>;
}

/** `names` go into subjectAltName; `days` count from today, negative if expired. */
interface CertificateOrder {
  readonly names: string;
  readonly begins?: number;
  readonly days: number;
  readonly by: 'authority' | 'stranger' | 'itself';
  readonly usage?: string;
}

const day = 24 * 60 * 60 * 1000;
const soundOrder = 'DNS:localhost,IP:127.0.0.1';
const hostileName = `DNS:\u{1B}[2J\u{1B}]0;evil\u{7}<script>alert(1)</script>.test`;

const orders = {
  right: { names: soundOrder, days: 30, by: 'authority' },
  expired: { names: soundOrder, begins: -30, days: -1, by: 'authority' },
  'not-yet-valid': { names: soundOrder, begins: 10, days: 30, by: 'authority' },
  'wrong-host': { names: 'DNS:elsewhere.test', days: 30, by: 'authority' },
  'hostile-name': { names: hostileName, days: 30, by: 'authority' },
  'many-names': {
    names: Array.from({ length: 2000 }, (_, at) => `DNS:${at}.elsewhere.test`).join(),
    days: 30,
    by: 'authority',
  },
  'self-signed': { names: soundOrder, days: 30, by: 'itself' },
  'unknown-authority': { names: soundOrder, days: 30, by: 'stranger' },
  'for-clients': { names: soundOrder, days: 30, by: 'authority', usage: 'clientAuth' },
} as const satisfies Record<string, CertificateOrder>;

export type CertificateName = keyof typeof orders;

/** `20261123120000Z`, as openssl reads it. */
const asn1Time = (days: number): string =>
  `${new Date(Date.now() + days * day).toISOString().replaceAll(/[-:T]|\.\d+/g, '')}`;

/** Makes keys and certificates in a temporary folder. Throws if openssl is missing. */
export function makeCertificates(): Certificates {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'));
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): void =>
    void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  const makeKey = (name: string): void =>
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', `${name}.key`);
  const makeAuthority = (name: string): void => {
    makeKey(name);
    openssl('req', '-x509', '-key', `${name}.key`, '-subj', `/CN=${name}`, '-days', '30', '-out', `${name}.pem`);
  };
  const sign = (
    name: string,
    { names, begins = -1, days, by, usage = 'serverAuth' }: CertificateOrder,
  ): CertificatePair => {
    makeKey(name);
    openssl('req', '-new', '-key', `${name}.key`, '-subj', '/CN=localhost', '-out', `${name}.csr`);
    writeFileSync(
      at('ca.cnf'),
      `[ca]\ndefault_ca=d\n[d]\ndatabase=${at('index')}\nnew_certs_dir=${folder}\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\n[e]\nsubjectAltName=@n\nextendedKeyUsage=${usage}\n[n]\n${names
        .split(',')
        .map((one, index) => one.replace(':', `.${index}=`))
        .join('\n')}\n`,
    );
    writeFileSync(at('index'), '');
    const issuer = by === 'itself' ? ['-selfsign'] : ['-cert', `${by}.pem`];
    const given = ['-keyfile', `${by === 'itself' ? name : by}.key`, '-in', `${name}.csr`, '-out', `${name}.pem`];
    const times = ['-startdate', asn1Time(begins), '-enddate', asn1Time(days)];
    openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-extensions', 'e', ...issuer, ...times, ...given);
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
  };
  try {
    makeAuthority('authority');
    makeAuthority('stranger');
    const made = Object.entries(orders).map(([name, order]) => [name, sign(name, order)] as const);
    return {
      authority: read('authority.pem'),
      of: Object.fromEntries(made) as Record<CertificateName, CertificatePair>,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
