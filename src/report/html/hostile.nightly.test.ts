import { withEveryMessage } from '../../testing/carriers/hostile-carrier.ts';
import { pageTexts, testHostilePage } from '../../testing/pages/hostile-page.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';

// Each page takes long, so all short texts come at once and the long one is shorter.
const { 'a very long text': long = '', ...short } = pageTexts;
testHostilePage(withEveryMessage(shippedSample), {
  'a long text': long.slice(0, 5000),
  'all others at once': Object.values(short).join(' '),
});
