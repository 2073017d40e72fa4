import { assetsIn, readAsset } from '../report/html/assets.ts';
import { readModules } from '../report/html/page.ts';

/** Every module of the page by its path: those that reports have too, and all that stand in reports/html/live. */
export const readLiveModules = (): ReadonlyMap<string, string> =>
  new Map([...readModules(), ...assetsIn('live/').map((name) => [`live/${name}`, readAsset(`live/${name}`)] as const)]);
