/**
 * Products that Tocsin does not send to and whose address is the credential: what stands before the secret part of its path. Sources: the
 * vendors' documentation of their addresses. One row, one product.
 */
export const strangeAddresses: Readonly<Record<string, readonly string[]>> = {
  'healthchecks.io': ['hc-ping\\.com/'],
  Cronitor: ['cronitor\\.(?:link|io)/(?:p|ping)/', 'cronitor\\.link/(?=[\\da-f]{16})'],
  'Better Stack': ['(?:uptime\\.betterstack|betteruptime)\\.com/api/v\\d/heartbeat/'],
  "Dead Man's Snitch": ['nosnch\\.in/'],
  UptimeRobot: ['heartbeat\\.uptimerobot\\.com/'],
  'Oh Dear': ['ping\\.ohdear\\.app/'],
  Loggly: ['loggly\\.com/(?:inputs|bulk)/'],
  Bark: ['api\\.day\\.app/'],
  ServerChan: ['sct?(?:api)?\\.ftqq\\.com/'],
  // Gates to chains of blocks, and what tells of the weather or of rates: the key is a part of the path.
  Infura: ['infura\\.io/(?:ws/)?v3/'],
  Alchemy: ['alchemy(?:api)?\\.(?:com|io)/(?:nft/)?v\\d/'],
  Ankr: ['rpc\\.ankr\\.com/[\\w-]{1,40}/'],
  QuickNode: ['quiknode\\.pro/'],
  GetBlock: ['getblock\\.io/(?=[\\da-f-]{32})'],
  Blast: ['blastapi\\.io/'],
  Tenderly: ['gateway\\.tenderly\\.co/'],
  Chainstack: ['core\\.chainstack\\.com/', 'p2pify\\.com/'],
  'Pirate Weather': ['api\\.(?:darksky|pirateweather)\\.net/forecast/'],
  ExchangeRate: ['exchangerate-api\\.com/v6/'],
  'Sumo Logic': ['sumologic\\.com/receiver/v1/http/'],
  Make: ['hook\\.(?:[a-z]{2}\\d\\.)?make\\.com/', 'hook\\.integromat\\.com/'],
};
