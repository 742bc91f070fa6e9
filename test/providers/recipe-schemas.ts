const text = { type: 'string' };
const filled = { type: 'string', minLength: 1 };
/** What each receiver of a recipe takes, written down from its own pages, which are named beside it. */
export const receivers: Readonly<Record<string, object>> = {
  // docs.servicenow.com, Event field format for event collection.
  servicenow: {
    ...{ type: 'object', required: ['records'], additionalProperties: false },
    properties: {
      records: {
        ...{ type: 'array', minItems: 1 },
        items: {
          ...{
            type: 'object',
            additionalProperties: false,
            required: ['source', 'node', 'type', 'severity', 'message_key'],
          },
          properties: {
            ...{
              source: { ...filled, maxLength: 100 },
              event_class: text,
              node: { ...filled, maxLength: 100 },
              resource: { ...text, maxLength: 100 },
            },
            ...{
              metric_name: { ...text, maxLength: 100 },
              type: { ...filled, maxLength: 100 },
              message_key: { ...filled, maxLength: 1024 },
            },
            ...{
              severity: { enum: ['0', '1', '2', '3', '4', '5'] },
              description: { ...text, maxLength: 4_000 * 5 },
              additional_info: text,
            },
          },
        },
      },
    },
  },
  // grafana.com, Formatted Webhook.
  'grafana-irm': {
    ...{ type: 'object', required: ['alert_uid', 'title', 'state', 'message'] },
    properties: {
      alert_uid: filled,
      title: filled,
      state: { enum: ['ok', 'alerting'] },
      message: text,
      link_to_upstream_details: text,
      image_url: text,
    },
  },
  // docs.rootly.com, Generic Webhook Alert Source: the mapping of the recipe.
  rootly: {
    ...{ type: 'object', required: ['summary', 'status', 'external_id'] },
    properties: {
      summary: filled,
      description: text,
      status: { enum: ['triggered', 'resolved'] },
      external_id: filled,
      external_url: text,
      labels: { type: 'object' },
    },
  },
  // docs.firehydrant.com, Signals events data model.
  firehydrant: {
    ...{ type: 'object', required: ['summary', 'level', 'status', 'idempotency_key'], additionalProperties: false },
    properties: {
      ...{
        summary: filled,
        body: text,
        level: { enum: ['INFO', 'WARN', 'ERROR', 'FATAL'] },
        status: { enum: ['OPEN', 'CLOSED'] },
      },
      ...{
        idempotency_key: filled,
        tags: { type: 'array', items: { ...text, pattern: '^[^:]+:.+$' } },
        annotations: { type: 'object' },
      },
      links: {
        type: 'array',
        items: {
          type: 'object',
          required: ['href', 'text'],
          properties: { href: { ...text, format: 'uri' }, text: filled },
        },
      },
    },
  },
  // betterstack.com, incoming webhooks: the mapping of the recipe.
  betterstack: {
    ...{ type: 'object', required: ['alert_id', 'status', 'title'] },
    properties: {
      alert_id: filled,
      status: { enum: ['started', 'resolved'] },
      title: filled,
      description: text,
      started_at: { ...text, format: 'date-time' },
    },
  },
  // pagertree.com, webhook.
  pagertree: {
    ...{ type: 'object', required: ['event_type', 'id'], additionalProperties: false },
    properties: {
      ...{ event_type: { enum: ['create', 'acknowledge', 'resolve'] }, id: filled, title: filled, description: text },
      ...{
        urgency: { enum: ['silent', 'low', 'medium', 'high', 'critical'] },
        tags: { type: 'array', items: filled },
        meta: { type: 'object' },
      },
    },
  },
  // Alertmanager, api/v2/openapi.yaml: postableAlerts.
  alertmanager: {
    type: 'array',
    items: {
      ...{ type: 'object', required: ['labels'], additionalProperties: false },
      properties: {
        labels: {
          type: 'object',
          required: ['alertname'],
          propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' },
          additionalProperties: text,
        },
        annotations: {
          type: 'object',
          propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' },
          additionalProperties: text,
        },
        ...{ startsAt: { ...text, format: 'date-time' }, endsAt: { ...text, format: 'date-time' } },
        generatorURL: { anyOf: [{ ...text, format: 'uri' }, { const: '' }] },
      },
    },
  },
  // docs.confluent.io, REST Proxy API 2: produce JSON.
  'kafka-rest': {
    ...{ type: 'object', required: ['records'], additionalProperties: false },
    properties: {
      records: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['value'],
          additionalProperties: false,
          properties: { key: filled, value: { type: 'object' }, partition: { type: 'integer' } },
        },
      },
    },
  },
  // docs.aws.amazon.com, PutEventsRequestEntry.
  eventbridge: {
    ...{ type: 'object', required: ['Source', 'DetailType', 'Detail'], additionalProperties: false },
    properties: {
      Source: { ...filled, not: { pattern: '^aws\\.' } },
      DetailType: { ...filled, maxLength: 128 },
      Detail: { type: 'object' },
    },
  },
  // learn.microsoft.com, Azure Event Grid event schema, and Publish to a custom topic: an array; `data` may be any object.
  eventgrid: {
    ...{ type: 'array', minItems: 1 },
    items: {
      ...{ type: 'object', additionalProperties: false },
      required: ['id', 'subject', 'eventType', 'eventTime'],
      properties: {
        ...{ id: filled, subject: filled, eventType: filled, eventTime: { ...text, format: 'date-time' } },
        ...{ topic: text, data: { type: 'object' }, dataVersion: text, metadataVersion: { const: '1' } },
      },
    },
  },
  // github.com/keephq/keep, keep/api/models/alert.py: AlertDto.
  keep: {
    ...{ type: 'object', required: ['name', 'status', 'severity', 'lastReceived'] },
    properties: {
      ...{ id: text, name: filled, fingerprint: { ...filled, maxLength: 255 } },
      status: { enum: ['firing', 'resolved', 'acknowledged', 'suppressed', 'pending'] },
      severity: { enum: ['critical', 'high', 'warning', 'info', 'low'] },
      lastReceived: { ...text, format: 'date-time' },
      ...{ environment: text, service: text, message: text, description: text },
      source: { type: 'array', items: text },
      url: { anyOf: [{ ...text, format: 'uri', pattern: '^https?://' }, { type: 'null' }] },
      labels: { type: 'object' },
    },
  },
  // docs.bigpanda.io, Alert object of the Alerts API: any further attribute is a text, a whole number or a list; what `primary_property` names must be there.
  bigpanda: {
    type: 'object',
    required: ['app_key', 'status', 'primary_property', 'host', 'check'],
    properties: {
      ...{ app_key: filled, status: { enum: ['ok', 'critical', 'warning', 'unknown', 'acknowledged'] } },
      timestamp: { type: 'integer', minimum: 1_000_000_000, maximum: 9_999_999_999 },
      ...{ incident_identifier: filled, description: { ...text, maxLength: 2_048 } },
      ...{ primary_property: { enum: ['host'] }, secondary_property: { enum: ['check'] }, host: filled, check: filled },
    },
    additionalProperties: { anyOf: [{ ...text, maxLength: 512 }, { type: 'integer' }, { type: 'array', items: text }] },
  },
};
