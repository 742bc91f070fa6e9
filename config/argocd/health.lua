-- Health of AlertProvider, Silence, MaintenanceWindow and AlertConfig for Argo CD. It goes by the conditions alone, which are the same
-- for all four as far as they have them, and uses nothing but what Argo CD gives a script.
local conditions = {}
local status = obj.status or {}
for _, condition in ipairs(status.conditions or {}) do
  conditions[condition.type] = condition
end

local function is(type, value)
  return conditions[type] ~= nil and conditions[type].status == value
end

local function health(name, type)
  return { status = name, message = conditions[type].message }
end

if conditions.Ready == nil then
  return { status = "Progressing", message = "Tocsin has not read it yet: does it run?" }
end
if (status.observedGeneration or 0) < (obj.metadata.generation or 0) then
  return { status = "Progressing", message = "Tocsin has not read its latest change yet." }
end
-- Somebody has to act.
if is("Stalled", "True") then
  return health("Degraded", "Stalled")
end
if is("Reconciling", "True") then
  return health("Progressing", "Reconciling")
end
if is("Ready", "False") then
  return health("Degraded", "Ready")
end
if is("Ready", "Unknown") then
  return health("Progressing", "Ready")
end
-- It is on purpose that nothing happens here, or the edition does not give it.
local purpose = { Suspended = true, NotLicensed = true, CommunityLimit = true }
for _, type in ipairs({ "Ready", "Active" }) do
  if conditions[type] ~= nil and purpose[conditions[type].reason] then
    return health("Suspended", type)
  end
end
-- What is configured rightly and yet does not work.
for _, type in ipairs({ "Covered", "Delivering", "Heartbeat", "Auditing" }) do
  if is(type, "False") and conditions[type].reason == "Syncing" then
    return health("Progressing", type)
  end
  if is(type, "False") and conditions[type].reason ~= "NotLicensed" and conditions[type].reason ~= "Withheld" then
    return health("Degraded", type)
  end
end
if is("StateSaved", "False") and conditions.StateSaved.reason == "StorageFailing" then
  return health("Degraded", "StateSaved")
end
return health("Healthy", "Ready")
