// What a lying backend lists.

#include "lying_functions.hpp"

#include <iterator>

namespace backplane::fuzz {
namespace {

/// A value whose content may be lied about: all lies of one seed stand in the same way everywhere.
class LyingValue {
 public:
  explicit LyingValue(int number) : number_(std::int64_t{number}), words_('\0'), text_(bp_text{}) {
    value_ = {BP_VALUE_INT, 0, 1, number_.Get()};
    GetLies().Change(TableLie::kValueNumber, *number_.Get());
    Lie();
  }
  explicit LyingValue(const char* text)
      : number_(0), words_(text, std::strlen(text)), text_({words_.Get(), std::strlen(text)}) {
    value_ = {BP_VALUE_TEXT, 0, 1, text_.Get()};
    Lie();
  }

  const bp_value* Get() const { return &value_; }

 private:
  void Lie() {
    const TableLies& lies = GetLies();
    lies.Change(TableLie::kTextLength, text_->length);
    lies.Drop(TableLie::kTextData, text_->data);
    lies.Change(TableLie::kValueType, value_.type);
    lies.Change(TableLie::kValueIsList, value_.is_list);
    lies.Change(TableLie::kValueCount, value_.count);
    lies.Drop(TableLie::kValueData, value_.data);
  }

  Room<std::int64_t> number_;
  Room<char> words_;
  Room<bp_text> text_;
  bp_value value_;
};

bp_status ListCapabilities(const bp_host& host, bp_sink* sink, bp_error* error) {
  const TableLies& lies = GetLies();
  const char* names[] = {BP_CAPABILITY_RANK, BP_CAPABILITY_FENCES, BP_CAPABILITY_CROSSING_TIME,
                         "Colour"};
  const char* unknown = BP_CAPABILITY_RANK;
  lies.ChangeText(TableLie::kCapabilityName, unknown);
  if (lies.Tells(TableLie::kCapabilityName)) names[0] = unknown;
  if (lies.Tells(TableLie::kValueName)) names[3] = nullptr;
  const LyingValue number(3);
  const LyingValue text("green");
  bp_status status = BP_STATUS_SUCCESS;
  for (std::size_t i = 0; i < std::size(names) && status == BP_STATUS_SUCCESS; ++i) {
    const bp_named_value value{names[i], i == 3 ? *text.Get() : *number.Get()};
    status = AddItem(host, sink, BP_ITEM_CAPABILITY, &value, error);
  }
  return status;
}

bp_status ListOptions(const bp_host& host, bp_sink* sink, bp_error* error) {
  const TableLies& lies = GetLies();
  const LyingValue initial(3);
  const LyingValue least(0);
  const LyingValue greatest(lies.Tells(TableLie::kOptionBounds) ? -1 : 9);
  auto depth = MakeStruct<bp_option_schema>();
  depth.name = "depth";
  depth.text = "How deep it goes.";
  depth.initial = initial.Get();
  depth.least = least.Get();
  depth.greatest = greatest.Get();
  lies.ChangeSize(TableLie::kOptionSize, depth.size_bytes);
  lies.Change(TableLie::kOptionFlags, depth.flags);
  lies.ChangeText(TableLie::kOptionName, depth.name);
  lies.ChangeText(TableLie::kOptionText, depth.text);
  lies.Drop(TableLie::kOptionInitial, depth.initial);
  if (lies.Tells(TableLie::kOptionTail)) depth.size_bytes = sizeof depth + 8;
  const Room<bp_option_schema> first(depth);
  if (lies.Tells(TableLie::kOptionTail)) first.Get()[1].flags = 7;
  const bp_status status = AddItem(host, sink, BP_ITEM_OPTION, first.Get(), error);
  if (status != BP_STATUS_SUCCESS) return status;

  const LyingValue mode("slow");
  const Room<char> slow("slow", 4);
  const bp_text texts[] = {{slow.Get(), 4}, {"fast", 4}};
  const Room<bp_text> list(texts, std::size(texts));
  lies.Change(TableLie::kTextLength, list.Get()->length);
  lies.Drop(TableLie::kTextData, list.Get()->data);
  bp_value allowed{BP_VALUE_TEXT, 1, std::size(texts), list.Get()};
  lies.Drop(TableLie::kAllowedData, allowed.data);
  lies.Change(TableLie::kAllowedCount, allowed.count);
  lies.Change(TableLie::kAllowedType, allowed.type);
  auto second = MakeStruct<bp_option_schema>();
  second.name = "mode";
  second.initial = mode.Get();
  second.allowed = &allowed;
  return AddItem(host, sink, BP_ITEM_OPTION, &second, error);
}

bp_status ListOperators(const bp_host& host, bp_sink* sink, bp_error* error) {
  const TableLies& lies = GetLies();
  auto one = MakeStruct<bp_operator>();
  one.domain = "fuzz";
  one.type = "Twist";
  one.version_from = 1;
  one.version_to = 2;
  one.min_inputs = one.max_inputs = one.min_outputs = one.max_outputs = 1;
  lies.ChangeSize(TableLie::kOperatorSize, one.size_bytes);
  lies.ChangeText(TableLie::kOperatorName, one.type);
  lies.Change(TableLie::kOperatorVersions, one.version_from);
  auto slot = MakeStruct<bp_operator_slot>();
  slot.name = "x";
  lies.Change(TableLie::kSlotTypes, slot.num_data_types);
  const bp_operator_slot* slots[] = {&slot};
  lies.Drop(TableLie::kOperatorSlot, slots[0]);
  one.inputs = one.outputs = slots;
  one.num_inputs = one.num_outputs = 1;
  lies.Change(TableLie::kOperatorCounts, one.num_inputs);
  const Room<const bp_operator_slot*> list(slots, 1);
  one.inputs = list.Get();
  const Room<bp_operator> room(one);
  return AddItem(host, sink, BP_ITEM_OPERATOR, room.Get(), error);
}

bp_status ListCases(const bp_host& host, bp_sink* sink, bp_error* error) {
  const TableLies& lies = GetLies();
  auto layer = MakeStruct<bp_custom_descriptor>();
  layer.domain = "fuzz";
  layer.type = "Twist";
  layer.version = 1;
  const std::int64_t dims[] = {2};
  auto info = MakeStruct<bp_tensor_info>();
  info.data_type = BP_DATA_TYPE_FLOAT32;
  info.rank = 1;
  info.dims = dims;
  const Room<float> elements(0.5F);
  auto tensor = MakeStruct<bp_constant>();
  tensor.info = &info;
  tensor.data = elements.Get();
  tensor.num_bytes = 8;
  lies.Change(TableLie::kCaseBytes, tensor.num_bytes);
  const bp_constant* tensors[] = {&tensor};
  lies.Drop(TableLie::kCaseTensor, tensors[0]);
  const Room<const bp_constant*> list(tensors, 1);
  auto one = MakeStruct<bp_operator_case>();
  one.name = "of two";
  one.layer = &layer;
  one.inputs = one.outputs = list.Get();
  one.num_inputs = one.num_outputs = 1;
  lies.ChangeSize(TableLie::kCaseSize, one.size_bytes);
  lies.Drop(TableLie::kCaseLayer, one.layer);
  lies.Change(TableLie::kCaseCounts, one.num_outputs);
  const Room<bp_operator_case> room(one);
  return AddItem(host, sink, BP_ITEM_OPERATOR_CASE, room.Get(), error);
}

bp_status ListCounters(const bp_host& host, bp_sink* sink, bp_error* error) {
  const TableLies& lies = GetLies();
  auto counter = MakeStruct<bp_counter>();
  counter.id = 1;
  counter.name = "runs";
  lies.ChangeSize(TableLie::kCounterSize, counter.size_bytes);
  lies.ChangeText(TableLie::kCounterName, counter.name);
  const Room<bp_counter> room(counter);
  return AddItem(host, sink, BP_ITEM_COUNTER, room.Get(), error);
}

}  // namespace

bp_status AddItem(const bp_host& host, bp_sink* sink, std::uint32_t item, const void* content,
                  bp_error* error) {
  const TableLies& lies = GetLies();
  if (lies.Tells(TableLie::kOtherItem)) {
    item = static_cast<std::uint32_t>(lies.PickNumber(TableLie::kOtherItem));
  }
  lies.Drop(TableLie::kNullItem, content);
  lies.Drop(TableLie::kNullSink, sink);
  constexpr int kMoreThanAllowed = 10'500;
  int times = lies.Tells(TableLie::kItemTwice) ? 2 : 1;
  if (lies.Tells(TableLie::kEndlessItems)) times = kMoreThanAllowed;
  bp_status status = BP_STATUS_SUCCESS;
  // What the host says is not listened to.
  for (int i = 0; i < times; ++i) status = host.add(sink, item, content, error);
  return times == 1 ? status : bp_status{BP_STATUS_SUCCESS};
}

bp_status Describe(bp_instance* /*instance*/, const bp_describe_args* args, bp_sink* sink,
                   bp_error* error) {
  const bp_host& host = *args->scope->host;
  bp_status status = BP_STATUS_SUCCESS;
  if (args->item == BP_ITEM_CAPABILITY) status = ListCapabilities(host, sink, error);
  if (args->item == BP_ITEM_OPTION) status = ListOptions(host, sink, error);
  if (args->item == BP_ITEM_OPERATOR) status = ListOperators(host, sink, error);
  if (args->item == BP_ITEM_OPERATOR_CASE) status = ListCases(host, sink, error);
  if (args->item == BP_ITEM_KIND) status = ListKinds(host, sink, error);
  if (args->item == BP_ITEM_COUNTER) status = ListCounters(host, sink, error);
  if (status != BP_STATUS_SUCCESS) return status;
  return Finish(TableLie::kDescribe, &host, error);
}

}  // namespace backplane::fuzz
